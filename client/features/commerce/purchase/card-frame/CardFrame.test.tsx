import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cardTexts } from '../texts.ts'
import { CardFrame, type CardFrameHandle } from './CardFrame.tsx'

/** Longer than a frame may take to come and to answer, in milliseconds. */
const A_WHILE = 20_000

type Port = { onmessage?: (event: { data: unknown }) => void }

/** The page's ends of the channels that frames were given. */
let ports: Port[]

beforeEach(() => {
  vi.useFakeTimers()
  ports = []
  const Channel = class {
    port1: Port = { postMessage: () => {}, close: () => {} } as Port
    port2 = {}
    constructor() {
      ports.push(this.port1)
    }
  }
  vi.stubGlobal('MessageChannel', Channel)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function opens() {
  const ref = createRef<CardFrameHandle>()
  render(<CardFrame disabled={false} ref={ref} />)
  const frame = screen.getByTitle<HTMLIFrameElement>(cardTexts.title)
  Object.defineProperty(frame, 'contentWindow', { value: { postMessage: () => {} } })
  return { frame, token: () => ref.current?.token() }
}

const passes = () => act(() => vi.advanceTimersByTime(A_WHILE))
const answers = () => act(async () => ports.at(-1)?.onmessage?.({ data: { kind: 'ready' } }))

test('fields that don’t come are said in place of an error page, and come by hand, by themselves, and by paying', async () => {
  const { frame, token } = opens()
  const isMissing = () => screen.queryByText(cardTexts.missing) !== null
  passes()
  expect(isMissing()).toBe(true)
  fireEvent.click(screen.getByRole('button'))
  expect(isMissing()).toBe(false)

  // An error page loads as well, and doesn't answer.
  fireEvent.load(frame)
  passes()
  expect(isMissing()).toBe(true)
  fireEvent(window, new Event('online'))
  expect(isMissing()).toBe(false)

  passes()
  expect(isMissing()).toBe(true)
  let sent: Promise<unknown> | undefined
  act(() => {
    sent = token()?.catch(() => 'refused')
  })
  expect(isMissing()).toBe(false)
  fireEvent.load(frame)
  await answers()
  act(() => ports.at(-1)?.onmessage?.({ data: { kind: 'refused', message: null } }))
  await expect(sent).resolves.toBe('refused')
  passes()
  expect(isMissing()).toBe(false)
})
