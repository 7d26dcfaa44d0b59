import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import { hearTime } from '../../lib/server-clock.ts'
import { toast } from '../toast.ts'
import { DecisionQueue } from './DecisionQueue.tsx'
import { UNDO_MS } from './use-decisions.ts'

type Report = { id: string; title: string; due: string | null }

const NOW = Date.UTC(2026, 10, 22, 12)
const reports: Report[] = [
  { id: 'late', title: 'Next week', due: '2026-11-29T12:00:00Z' },
  { id: 'none', title: 'Whenever', due: null },
  { id: 'soon', title: 'Today', due: '2026-11-22T15:00:00Z' },
  { id: 'over', title: 'Yesterday', due: '2026-11-21T11:00:00Z' },
]

let sent: string[]
let failing: boolean
let lacking: string | null
let begins: (() => Promise<unknown>) | undefined
let undone: string[]

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  sent = []
  failing = false
  lacking = null
  begins = undefined
  undone = []
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const queue = (items: readonly Report[] = reports) => (
  <DecisionQueue
    label="Reports"
    items={items}
    keyOf={({ id }) => id}
    nameOf={({ title }) => title}
    deadlineOf={({ due }) => due}
    decisions={[
      { id: 'approve', label: 'Approve', done: 'Approved' },
      { id: 'reject', label: 'Reject', done: 'Rejected', destructive: true },
    ]}
    refusalOf={() => (lacking === null ? null : new ApiError(400, { error: lacking, code: 'invalid_input' }))}
    {...(begins ? { onBegin: begins } : {})}
    onUndo={({ id }) => undone.push(id)}
    onDecide={async ({ id }, decision, { keepalive }) => {
      sent.push(`${decision} ${id}`)
      expect(keepalive).toBe(true)
      if (failing)
        throw new ApiError(409, { error: 'Somebody else decided this already.', code: 'user_not_found' })
    }}
    none={<p>All done</p>}
  >
    {({ title }) => <p>{title}</p>}
  </DecisionQueue>
)
const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => fireEvent.click(button(name))
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const rows = () =>
  screen.getAllByRole('listitem').map((row) => within(row).getAllByRole('paragraph')[0]?.textContent)

test('what lacks something says so at once, and is decided once it is there', async () => {
  render(queue())
  lacking = 'Enter a reason first.'
  press('Approve: Today')
  screen.getByText('Enter a reason first.')
  await pass(UNDO_MS)
  expect(sent).toEqual([])
  lacking = null
  press('Approve: Today')
  expect(screen.queryByText('Enter a reason first.')).toBeNull()
  await pass(UNDO_MS)
  expect(sent).toEqual(['approve soon'])
})

test('what is due first comes first, with how much time is left', () => {
  render(queue())
  expect(rows()).toEqual(['Yesterday', 'Today', 'Next week', 'Whenever'])
  for (const text of ['1 day overdue', 'Due in 3 hours', 'Due in 7 days']) screen.getByText(text)
})

test('what is due goes by the server’s clock, however wrong the browser’s is', () => {
  const hear = (time: number) =>
    hearTime(new Response(null, { headers: { date: new Date(time).toUTCString() } }))
  hear(NOW + 5 * 3_600_000)
  render(queue())
  hear(NOW)
  screen.getByText('2 hours overdue')
})

test('a decision is sent once, when it can no longer be undone', async () => {
  render(queue())
  press('Approve: Today')
  screen.getByText('Approved')
  await pass(UNDO_MS - 1)
  expect(sent).toEqual([])
  await pass(1)
  expect(sent).toEqual(['approve soon'])
  expect(screen.queryByText('Today')).toBeNull()
  await pass(UNDO_MS)
  expect(sent).toHaveLength(1)
})

test('what was undone is sent never, and can be decided otherwise', async () => {
  render(queue())
  press('Approve: Today')
  await pass(1000)
  press('Undo: Today')
  expect(undone).toEqual(['soon'])
  await pass(2 * UNDO_MS)
  expect(sent).toEqual([])
  press('Reject: Today')
  await pass(UNDO_MS)
  expect(sent).toEqual(['reject soon'])
})

test('the keyboard moves to the next item, and undoes the newest decision from there', async () => {
  render(queue())
  button('Approve: Yesterday').focus()
  press('Approve: Yesterday')
  await pass(50)
  expect(document.activeElement).toBe(button('Approve: Today'))
  press('Approve: Today')
  await pass(50)
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'z', ctrlKey: true })
  await pass(50)
  expect(undone).toEqual(['soon'])
  expect(document.activeElement).toBe(button('Approve: Today'))
  await pass(UNDO_MS)
  expect(sent).toEqual(['approve over'])
})

test('a decision that was refused brings the item back and says why', async () => {
  failing = true
  render(queue())
  press('Approve: Today')
  await pass(UNDO_MS)
  screen.getByText('Somebody else decided this already.')
  failing = false
  press('Approve: Today')
  await pass(UNDO_MS)
  expect(sent).toEqual(['approve soon', 'approve soon'])
  expect(screen.queryByText('Today')).toBeNull()
})

test('leaving the page sends the decision', async () => {
  const { unmount } = render(queue())
  press('Approve: Today')
  press('Reject: Yesterday')
  press('Undo: Yesterday')
  unmount()
  expect(sent).toEqual(['approve soon'])
  await pass(2 * UNDO_MS)
  expect(sent).toHaveLength(1)
})

test('nothing left to decide says so', async () => {
  render(queue(reports.slice(0, 1)))
  press('Approve: Next week')
  expect(screen.queryByText('All done')).toBeNull()
  await pass(UNDO_MS)
  screen.getByText('All done')
})

test('a decision counts though its item is no longer listed, and can be undone until then', async () => {
  const { rerender } = render(queue())
  press('Approve: Today')
  press('Reject: Yesterday')
  rerender(queue([]))
  expect(rows()).toEqual(['Yesterday', 'Today'])
  press('Undo: Yesterday')
  await pass(UNDO_MS)
  expect(sent).toEqual(['approve soon'])
  screen.getByText('All done')
})

test('what comes back under the same key is to be decided again', async () => {
  const { rerender } = render(queue())
  press('Approve: Today')
  await pass(UNDO_MS)
  expect(rows()).not.toContain('Today')
  rerender(queue([]))
  rerender(queue())
  expect(rows()).toContain('Today')
  // As well when it was gone before the answer came.
  press('Approve: Today')
  rerender(queue([]))
  await pass(UNDO_MS)
  rerender(queue())
  expect(rows()).toContain('Today')
  expect(sent).toEqual(['approve soon', 'approve soon'])
})

test('the refusal of what is no longer listed is said all the same', async () => {
  failing = true
  const said = vi.spyOn(toast, 'failure').mockReturnValue()
  const { rerender } = render(queue())
  press('Approve: Today')
  rerender(queue([]))
  await pass(UNDO_MS)
  expect(said.mock.calls).toEqual([['Today: Somebody else decided this already.']])
  screen.getByText('All done')
})

test('the refusal of what was sent by leaving is said on the next page', async () => {
  failing = true
  const said = vi.spyOn(toast, 'failure').mockReturnValue()
  const { unmount } = render(queue())
  press('Approve: Today')
  unmount()
  await pass(0)
  expect(said.mock.calls).toEqual([['Today: Somebody else decided this already.']])
})

test('a decision counts once what must come before it is done', async () => {
  const confirmed = Promise.withResolvers<void>()
  begins = () => confirmed.promise
  render(queue())
  press('Approve: Today')
  // A second press while it is under way is none.
  press('Reject: Today')
  await pass(2 * UNDO_MS)
  expect(screen.queryByRole('button', { name: 'Undo: Today' })).toBeNull()
  confirmed.resolve()
  await pass(0)
  press('Undo: Today')
  begins = () => Promise.reject(new ApiError(0, { error: 'Not confirmed.', code: 'unreachable' }))
  cleanup()
  render(queue())
  press('Approve: Today')
  await pass(0)
  screen.getByText('Not confirmed.')
  await pass(UNDO_MS)
  expect(sent).toEqual([])
})

test('leaving while that is under way sends the decision once it is done, and says so when it isn’t', async () => {
  const said = vi.spyOn(toast, 'failure').mockReturnValue()
  const confirmed = Promise.withResolvers<void>()
  begins = () => confirmed.promise
  const { unmount } = render(queue())
  press('Approve: Today')
  unmount()
  confirmed.resolve()
  await pass(0)
  expect(sent).toEqual(['approve soon'])

  begins = () => Promise.reject(new ApiError(0, { error: 'Not confirmed.', code: 'unreachable' }))
  const again = render(queue())
  press('Approve: Today')
  again.unmount()
  await pass(0)
  expect(said.mock.calls).toEqual([['Today: Not confirmed.']])
})

test('the keyboard stays with the list when its last Undo goes, and presses nothing else', async () => {
  render(queue(reports.slice(0, 2)))
  press('Approve: Next week')
  await pass(50)
  button('Undo: Next week').focus()
  await pass(UNDO_MS)
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Reports' }))
  press('Approve: Whenever')
  await pass(50)
  expect(document.activeElement).toBe(button('Undo: Whenever'))
  await pass(UNDO_MS)
  screen.getByText('All done')
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Reports' }))
})
