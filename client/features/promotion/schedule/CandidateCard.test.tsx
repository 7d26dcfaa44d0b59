import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { lostByLeaving } from '../../../lib/unsaved.ts'
import type { Candidate } from './api.ts'
import { CandidateCard } from './CandidateCard.tsx'
import { cardTexts } from './texts.ts'

const ME = { _id: 'me', isCreator: true, timeZone: 'UTC' }
const POST = {
  ...{ _id: 'post', subreddit: 'Gardens', title: 'The lake at dawn', testTitles: false, comment: '' },
  ...{ link: 'https://example.com/lake', mediaId: null, thumbnail: null, expected: null, removals: null },
  watermarkType: null,
} as unknown as Candidate

let sent: Record<string, unknown>[]
let checked: (string | null)[]
/** What a check answers for a time, null without one. */
let verdictsAt: (postTime: string | null) => object[]

beforeEach(() => {
  sent = []
  checked = []
  verdictsAt = () => []
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string, { method, body }: RequestInit = {}) => {
    if (method === 'POST') {
      sent.push(JSON.parse(String(body)))
      return Response.json({ error: 'Not now.', code: 'rate_limited' }, { status: 429 })
    }
    if (address.includes('check')) {
      const postTime = new URL(address, 'http://localhost').searchParams.get('postTime')
      checked.push(postTime)
      return Response.json({ verdicts: verdictsAt(postTime), endOfQueue: null })
    }
    return Response.json(address.includes('/queue') ? { accounts: [] } : ME)
  })
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

function opens(titles: string[]): void {
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  const card = <CandidateCard candidate={{ ...POST, titles }} />
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '*', element: card }])} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const comment = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Comment', hidden: true })

test('a comment that is typed is asked about before the page is left, and outlives a refusal', async () => {
  opens(['The lake at dawn'])
  await userEvent.type(await comment(), 'More in my profile')
  await waitFor(() => expect(lostByLeaving()).toBe(cardTexts.lost))
  await userEvent.click(screen.getByRole('button', { name: 'Schedule post' }))
  await screen.findByText('Not now.')
  expect(sent).toMatchObject([{ postId: 'post', comment: 'More in my profile', postTime: 'endOfQueue' }])
  expect((await comment()).value).toBe('More in my profile')
  expect(lostByLeaving()).toBe(cardTexts.lost)
})

test.each(['Schedule post', 'Submit now'])('of several titles one is chosen before “%s”', async (name) => {
  opens(['The lake at dawn', 'Five in the morning'])
  await userEvent.click(await screen.findByRole('button', { name }))
  const title = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Title' })
  await waitFor(() => expect(title.getAttribute('aria-invalid')).toBe('true'))
  await screen.findByText('Select a title')
  expect(sent).toEqual([])
  await userEvent.selectOptions(title, 'Five in the morning')
  expect(screen.queryByText('Select a title')).toBeNull()
})

test('a comment that can’t be sent is shown, and stays so once it is corrected', async () => {
  opens(['The lake at dawn'])
  const details = (await comment()).closest('details') as HTMLDetailsElement
  expect(details.open).toBe(false)
  fireEvent.change(await comment(), { target: { value: 'a'.repeat(20_000) } })
  await userEvent.click(screen.getByRole('button', { name: 'Schedule post' }))
  await waitFor(() => expect(details.open).toBe(true))
  fireEvent.change(await comment(), { target: { value: 'Shorter' } })
  await waitFor(async () => expect((await comment()).getAttribute('aria-invalid')).not.toBe('true'))
  expect(details.open).toBe(true)
  expect(sent).toEqual([])
})

test('a chosen time that breaks a limit is told of before anything is sent, and no longer once another is chosen', async () => {
  const message = 'r/Gardens allows 1 post every day.'
  verdictsAt = (postTime) =>
    postTime?.startsWith('2090-05-04') ? [{ rule: 'frequency', message, suggestion: null }] : []
  opens(['The lake at dawn'])
  await userEvent.click(await screen.findByRole('radio', { name: 'Date and time' }))
  const time = screen.getByLabelText('Date and time', { selector: 'input[type="datetime-local"]' })
  fireEvent.change(time, { target: { value: '2090-05-04T12:00' } })
  await screen.findByText(message)
  fireEvent.change(time, { target: { value: '2090-05-06T12:00' } })
  await waitFor(() => expect(screen.queryByText(message)).toBeNull())
  fireEvent.change(time, { target: { value: '2090-05-04T12:00' } })
  await screen.findByText(message)
  await userEvent.click(screen.getByRole('radio', { name: /end of the queue/i }))
  await waitFor(() => expect(screen.queryByText(message)).toBeNull())
  expect([checked[0], sent]).toEqual([null, []])
})

test('of a time that comes twice, when the clock is set back, one is chosen', async () => {
  vi.stubEnv('TZ', 'America/New_York')
  opens(['The lake at dawn'])
  await userEvent.click(await screen.findByRole('radio', { name: 'Date and time' }))
  const time = screen.getByLabelText('Date and time', { selector: 'input[type="datetime-local"]' })
  fireEvent.change(time, { target: { value: '2090-11-05T01:30' } })
  const which = within(await screen.findByRole('group', { name: /^Which / }))
  const [first, second] = [/^1:30 AM EDT/, /^1:30 AM EST/].map((name) => which.getByRole('radio', { name }))
  expect([first, second].map((radio) => (radio as HTMLInputElement).checked)).toEqual([true, false])
  await userEvent.click(second as HTMLElement)
  await userEvent.click(screen.getByRole('button', { name: 'Schedule post' }))
  await waitFor(() => expect(sent).toMatchObject([{ postTime: '2090-11-05T06:30:00.000Z' }]))
  await waitFor(() => expect(checked.at(-1)).toBe('2090-11-05T06:30:00.000Z'))
  fireEvent.change(time, { target: { value: '2090-11-05T02:30' } })
  expect(screen.queryByRole('group', { name: /^Which/ })).toBeNull()
})
