import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toasts } from './Toasts.tsx'
import { toast } from './toast.ts'

const MINUTE_MS = 60_000
const pass = () => act(() => vi.advanceTimersByTimeAsync(MINUTE_MS))

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  // What a page fetches ahead asks first whether the server is there.
  vi.stubGlobal('fetch', async () => Response.json({}))
})
afterEach(async () => {
  await pass()
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const place = () => screen.getByRole('region', { name: 'Notices (F8)' })

test('only a failure interrupts what is read out; the rest waits its turn, in a place that was there before', async () => {
  render(<Toasts />)
  expect(place().getAttribute('aria-live')).toBe('polite')
  act(() => {
    toast.success('Saved')
    toast.failure('Not sent')
    toast.note('On its way')
  })
  await within(place()).findByText('On its way')
  const said = (role: string) =>
    within(place())
      .queryAllByRole(role)
      .map(({ textContent }) => textContent)
  expect(said('status')).toEqual(['Saved', 'On its way'])
  expect(said('alert')).toEqual(['Not sent'])
})

test('F8 leads to the newest message, which stays while it has the focus; acting gives that back', async () => {
  render(
    <>
      <button type="button">Delete</button>
      <Toasts />
    </>,
  )
  const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  const begin = screen.getByRole('button', { name: 'Delete' })
  await person.keyboard('{F8}')
  expect(document.activeElement).toBe(document.body)
  await person.click(begin)
  const onAct = vi.fn()
  act(() => {
    toast.note('Older')
    toast.offer('Deleted', { label: 'Undo', onAct })
  })
  const newest = (await screen.findByText('Deleted')).closest('[role=status]')
  await person.keyboard('{F8}')
  expect(document.activeElement).toBe(newest)
  await person.tab()
  expect(document.activeElement?.textContent).toBe('Undo')
  await pass()
  expect(screen.queryByText('Older')).toBeNull()
  expect(newest?.isConnected).toBe(true)
  await person.keyboard('{Enter}')
  expect(onAct).toHaveBeenCalledOnce()
  expect(document.activeElement).toBe(begin)
  await waitFor(() => expect(newest?.isConnected).toBe(false))
})

test('a message that is left, or that the pointer leaves, goes after its time', async () => {
  render(<Toasts />)
  const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  const onAct = vi.fn()
  act(() => toast.offer('Moved', { label: 'Undo', onAct }))
  const message = (await screen.findByText('Moved')).closest('[role=status]')
  await person.hover(screen.getByText('Moved'))
  await pass()
  expect(message?.isConnected).toBe(true)
  await person.keyboard('{F8}')
  await person.unhover(screen.getByText('Moved'))
  await pass()
  expect(message?.isConnected).toBe(true)
  act(() => (document.activeElement as HTMLElement).blur())
  await pass()
  expect(message?.isConnected).toBe(false)
  expect(onAct).not.toHaveBeenCalled()
})
