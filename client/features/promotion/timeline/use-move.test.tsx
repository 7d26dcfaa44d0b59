import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { toast } from '../../../ui/toast.ts'
import type { TimelineItem } from './api.ts'
import { useMove, useMoveWholeDay } from './use-move.ts'

let told: [kind: string, message: string][]
let answer: object
beforeEach(() => {
  told = []
  for (const kind of ['success', 'offer', 'failure'] as const)
    vi.spyOn(toast, kind).mockImplementation((message: string) => void told.push([kind, message]))
  vi.stubGlobal('fetch', async () => Response.json(answer))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

function rendered<Result>(hook: () => Result): Result {
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(hook, { wrapper }).result.current
}

test.each([
  ['is offered to be put back', 2, 'offer'],
  ['whose time has passed isn’t, as it can’t be', -2, 'success'],
])('a post that was moved %s', async (_, hours, kind) => {
  answer = {}
  const moveTo = rendered(useMove)
  const item = { _id: 'one', subreddit: 'Gardens', postTime: inHours(hours) } as TimelineItem
  act(() => void moveTo(item, inHours(5)))
  await waitFor(() => expect(told).toEqual([[kind, expect.stringContaining('r/Gardens moved to')]]))
})

test.each([
  ['is offered to be put back', [-2, 2], 'offer'],
  ['of which all was overdue isn’t', [-2, -1], 'success'],
])('a day that was moved %s', async (_, hours, kind) => {
  const items = hours.map((each) => ({ _id: String(each), postTime: inHours(each) }))
  answer = { moved: 2, items, stayed: [] }
  const move = rendered(() => useMoveWholeDay('2030-01-01'))
  act(() => void move('week'))
  await waitFor(() => expect(told).toEqual([[kind, '2 posts moved.']]))
})

const PAST = { posts: 2, reason: 'That time has passed.' }
const LIMIT = { posts: 1, reason: 'r/Gardens allows 1 post every 7 days.' }

test.each([
  [
    'of which nothing could move is no success',
    { moved: 0, items: [], stayed: [PAST] },
    ['failure', 'No posts were moved. 2 posts stayed: That time has passed.'],
  ],
  [
    'that has nothing to move says so',
    { moved: 0, items: [], stayed: [] },
    ['failure', 'Nothing is scheduled on this day.'],
  ],
  [
    'of which a part could move says what stayed, and why',
    { moved: 1, items: [{ _id: 'one', postTime: inHours(2) }], stayed: [PAST, LIMIT, LIMIT] },
    [
      'offer',
      '1 post moved. 2 posts stayed: That time has passed. 1 post stayed: r/Gardens allows 1 post every 7 days. 1 more stayed too.',
    ],
  ],
])('a day %s', async (_, answered, expected) => {
  answer = answered
  const move = rendered(() => useMoveWholeDay('2030-01-01'))
  act(() => void move('back'))
  await waitFor(() => expect(told).toEqual([expected]))
})
