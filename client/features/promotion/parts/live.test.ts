import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient, roots } from '../../../lib/query.ts'
import { timelineEvents } from './live.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const TIMELINE = [...roots.promotion, 'timeline', { state: 'posted' }]

/** A timeline that is shown; each question takes a second. */
function showTimeline() {
  const client = createQueryClient()
  let asked = 0
  let answered = 0
  const observer = new QueryObserver(client, {
    queryKey: TIMELINE,
    queryFn: async () => {
      asked++
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return ++answered
    },
  })
  const stop = observer.subscribe(() => {})
  return {
    client,
    stop,
    counts: () => ({ asked, answered }),
    changes: timelineEvents(client)['timeline changed'],
  }
}

test('what is shown is asked for at once, and however often it changes meanwhile, once more', async () => {
  const { client, stop, counts, changes } = showTimeline()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(counts()).toEqual({ asked: 1, answered: 1 })
  changes()
  await vi.advanceTimersByTimeAsync(0)
  expect(counts()).toEqual({ asked: 2, answered: 1 })
  for (let time = 0; time < 50; time++) changes()
  await vi.advanceTimersByTimeAsync(60_000)
  // No question was given up for a later one.
  expect(counts()).toEqual({ asked: 3, answered: 3 })
  stop()
  client.clear()
})

test('an answer on its way at the first change is followed by another', async () => {
  const { client, stop, counts, changes } = showTimeline()
  changes()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(counts()).toEqual({ asked: 2, answered: 2 })
  stop()
  client.clear()
})

test('what follows from the timeline is asked for when it is next looked at, and nothing else', async () => {
  const client = createQueryClient()
  const keyOf = (name: string) => [...roots.promotion, name, 'shown before']
  const [following, others] = [
    ['timeline', 'queue', 'candidates', 'posts', 'accounts', 'removals', 'earnings'],
    ['subreddits', 'inbox', 'forum', 'lists', 'verification'],
  ]
  for (const name of [...following, ...others]) client.setQueryData(keyOf(name), name)
  timelineEvents(client)['timeline changed']()
  await vi.advanceTimersByTimeAsync(60_000)
  const isOutdated = (name: string) => client.getQueryState(keyOf(name))?.isInvalidated
  expect(following.map(isOutdated)).toEqual(following.map(() => true))
  expect(others.map(isOutdated)).toEqual(others.map(() => false))
  client.clear()
})

test('an item that is being moved stays where it was put', async () => {
  const { client, stop, counts, changes } = showTimeline()
  await vi.advanceTimersByTimeAsync(1_000)
  const end = Promise.withResolvers<void>()
  const moved = client.getMutationCache().build(client, {
    mutationKey: [...roots.promotion, 'timeline', 'move'],
    mutationFn: () => end.promise,
  })
  const done = moved.execute(undefined)
  changes()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(counts()).toEqual({ asked: 1, answered: 1 })
  end.resolve()
  await done
  stop()
  client.clear()
})
