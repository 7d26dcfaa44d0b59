import {
  InfiniteQueryObserver,
  MutationObserver,
  type QueryClient,
  QueryObserver,
} from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ApiError, call } from './api.ts'
import { createQueryClient, invalidate, putEvent, refetched, resetPersonal } from './query.ts'
import { routes } from './routes.ts'

/** A query that is shown, and how often it was fetched. */
async function shown(client: ReturnType<typeof createQueryClient>, key: string[], keep?: 'browser') {
  let asked = 0
  const meta = keep ? { keep } : {}
  const observer = new QueryObserver(client, { queryKey: key, queryFn: async () => ++asked, meta })
  const hide = observer.subscribe(() => {})
  await expect.poll(() => asked).toBe(1)
  return { asked: () => asked, hide }
}

const turn = () => new Promise((resolve) => setTimeout(resolve))

test('a mutation asks once for what it names and for nothing else, and nobody waits for the answers', async () => {
  const client = createQueryClient()
  const sold = await shown(client, ['commerce', 'subscriptions'])
  const config = await shown(client, ['config'])
  let answer = () => {}
  const slow = new QueryObserver(client, {
    queryKey: ['commerce', 'slow'],
    queryFn: () => new Promise<number>((resolve) => (answer = () => resolve(1))),
  })
  slow.subscribe(() => {})
  answer()
  await expect.poll(() => client.isFetching()).toBe(0)
  const save = new MutationObserver(client, {
    mutationFn: async () => 'saved',
    meta: { invalidates: [['commerce']] },
  })
  expect(await save.mutate()).toBe('saved')
  expect(client.isFetching({ queryKey: ['commerce', 'slow'] })).toBe(1)
  answer()
  await expect.poll(() => client.isFetching()).toBe(0)
  expect([sold.asked(), config.asked()]).toEqual([2, 1])
})

test.each([
  [new ApiError(400, { error: 'No.', code: 'invalid_input' }), 1],
  [new ApiError(0, { error: 'Lost.', code: 'unreachable' }), 2],
])(
  'after %s it was asked for %i times: only what may have been done anyway is looked at',
  async (error, times) => {
    const client = createQueryClient()
    const sold = await shown(client, ['commerce'])
    const save = new MutationObserver(client, {
      mutationFn: () => Promise.reject(error),
      meta: { invalidates: [['commerce']] },
    })
    await save.mutate().catch(() => {})
    await turn()
    expect(sold.asked()).toBe(times)
  },
)

test('what is outdated waits until it is looked at; what is forgotten is gone', async () => {
  const client = createQueryClient()
  const list = await shown(client, ['media', 'list'])
  const hidden = await shown(client, ['profiles', 'somebody'])
  hidden.hide()
  const block = new MutationObserver(client, {
    mutationFn: async () => null,
    meta: { outdates: [['media']], forgets: [['profiles']] },
  })
  await block.mutate()
  await turn()
  expect(list.asked()).toBe(1)
  expect(client.getQueryState(['media', 'list'])?.isInvalidated).toBe(true)
  expect(client.getQueryState(['profiles', 'somebody'])).toBeUndefined()
})

test('a refusal has only what it proves wrong read again, and that once', async () => {
  const client = createQueryClient()
  const sold = await shown(client, ['commerce'])
  const list = await shown(client, ['media', 'list'])
  const media = ['media']
  const saves = (error: ApiError | null) =>
    new MutationObserver(client, {
      mutationFn: () => (error ? Promise.reject(error) : Promise.resolve()),
      meta: { invalidates: [['commerce']], onFailure: [media] },
    })
      .mutate()
      .catch(() => {})
  await saves(new ApiError(409, { error: 'Gone.', code: 'request_in_flight' }))
  await turn()
  expect([sold.asked(), list.asked()]).toEqual([1, 2])
  await saves(null)
  await turn()
  expect([sold.asked(), list.asked()]).toEqual([2, 2])
})

test('of changes of one thing only the last one to be answered has it read again', async () => {
  const client = createQueryClient()
  const board = await shown(client, ['board'])
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const moves = answers.map(({ promise }) =>
    new MutationObserver(client, {
      mutationKey: ['board', 'move'],
      mutationFn: () => promise,
      meta: { invalidates: [['board']], onFailure: [['board']] },
    })
      .mutate()
      .catch(() => {}),
  )
  await turn()
  answers[1]?.resolve()
  await moves[1]
  await turn()
  expect(board.asked()).toBe(1)
  answers[0]?.reject(new ApiError(409, { error: 'Gone.', code: 'request_in_flight' }))
  await moves[0]
  await turn()
  expect(board.asked()).toBe(2)
})

test('who logs in or out keeps what belongs to the browser and nothing else', async () => {
  const client = createQueryClient()
  const config = await shown(client, ['config'], 'browser')
  const profile = await shown(client, ['profiles'])
  resetPersonal(client)
  await expect.poll(profile.asked).toBe(2)
  expect(config.asked()).toBe(1)
})

test('a server that never answers is given up on after one time limit; one that can’t be reached is asked again', async () => {
  vi.useFakeTimers()
  let asked = 0
  let serve: (init: RequestInit) => Promise<Response> = ({ signal }) =>
    new Promise((_answer, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    asked += 1
    return serve(init)
  })
  try {
    const client = createQueryClient()
    const reads = (key: string) => {
      const queryFn = ({ signal }: { signal: AbortSignal }) => call(routes.config, {}, { signal })
      const observer = new QueryObserver(client, { queryKey: [key], queryFn })
      observer.subscribe(() => {})
      return () => observer.getCurrentResult().error
    }
    const slow = reads('slow')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(slow()).toMatchObject({ code: 'too_slow' })
    await vi.advanceTimersByTimeAsync(90_000)
    expect(asked).toBe(1)
    serve = () => Promise.reject(new TypeError('Failed to fetch'))
    const lost = reads('lost')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(lost()).toMatchObject({ code: 'unreachable' })
    expect(asked).toBe(4)
  } finally {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

/** A query whose answers are given by hand. */
function byHand(client: QueryClient, queryKey: string[], { finishes = false } = {}) {
  const answers: ((answer: string) => void)[] = []
  let refuse = (_error: Error) => {}
  const queryFn = (context: { signal: AbortSignal }) =>
    new Promise<string>((resolve, reject) => {
      answers.push(resolve)
      refuse = reject
      // One that doesn't look at the signal goes on while nobody looks.
      if (!finishes) context.signal.addEventListener('abort', () => reject(context.signal.reason))
    })
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: 60_000 })
  const hide = observer.subscribe(() => {})
  const data = () => client.getQueryData<string>(queryKey)
  return { answers, hide, data, refuse: (error: Error) => refuse(error) }
}

test('a first answer that was on its way when its query was invalidated is followed by another, and by one only', async () => {
  const client = createQueryClient()
  const { answers, data } = byHand(client, ['chat', 'one'])
  invalidate(client, [['chat']])
  invalidate(client, [['chat']])
  const done = refetched(client, [['chat', 'one']])
  answers[0]?.('before the message')
  await turn()
  expect([answers.length, data()]).toEqual([2, 'before the message'])
  answers[1]?.('after it')
  await done
  await turn()
  expect([answers.length, data()]).toEqual([2, 'after it'])
  expect(client.getQueryState(['chat', 'one'])?.isInvalidated).toBe(false)
})

test('one that was invalidated for its next use stays so after the first answer', async () => {
  const client = createQueryClient()
  const { answers } = byHand(client, ['queue'])
  invalidate(client, [['queue']], { refetchType: 'none' })
  answers[0]?.('before the change')
  await turn()
  expect([answers.length, client.getQueryState(['queue'])?.isInvalidated]).toEqual([1, true])
})

test('a first load that is given up for another person or page is forgotten', async () => {
  const client = createQueryClient()
  const { answers, hide } = byHand(client, ['chat'])
  invalidate(client, [['chat']])
  hide()
  await turn()
  const again = byHand(client, ['chat'])
  again.answers[0]?.('later')
  await turn()
  expect([answers.length, again.answers.length, again.data()]).toEqual([1, 1, 'later'])
})

test('what an event puts is not taken back by an answer that was on its way', async () => {
  const client = createQueryClient()
  const { answers, data } = byHand(client, ['badge'])
  const put = (text: string) => putEvent<string>(client, ['badge'], () => text)
  put('nothing to put it into')
  expect(data()).toBeUndefined()
  answers[0]?.('one')
  await turn()
  answers[1]?.('two')
  await turn()
  put('three')
  expect([answers.length, data()]).toEqual([2, 'three'])
  invalidate(client, [['badge']])
  put('four')
  answers[2]?.('three')
  await turn()
  expect(data()).toBe('four')
  answers[3]?.('four, and more')
  await turn()
  expect([answers.length, data()]).toEqual([4, 'four, and more'])
})

test('a further page of a list that was on its way doesn’t take an event’s change away', async () => {
  const client = createQueryClient()
  const pages: ((page: string) => void)[] = []
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    queryFn: () => new Promise<string>((resolve) => pages.push(resolve)),
    initialPageParam: 0,
    getNextPageParam: () => 1,
  })
  observer.subscribe(() => {})
  pages[0]?.('first')
  await turn()
  void observer.fetchNextPage()
  putEvent<{ pages: string[] }>(client, ['list'], (list) => ({
    ...list,
    pages: list.pages.with(0, 'first, changed'),
  }))
  pages[1]?.('second')
  await turn()
  pages[2]?.('first, changed')
  await turn()
  pages[3]?.('second')
  await turn()
  expect(client.getQueryData(['list'])).toMatchObject({ pages: ['first, changed', 'second'] })
})

test('twenty events during a slow answer have it asked for once more, and none of them is lost', async () => {
  const client = createQueryClient()
  const { answers, data } = byHand(client, ['list'])
  answers[0]?.(':')
  await turn()
  invalidate(client, [['list']])
  const letters = [...'abcdefghijklmnopqrst']
  for (const letter of letters) {
    putEvent<string>(client, ['list'], (list) => (list.includes(letter) ? list : list + letter))
    await turn()
  }
  expect([answers.length, data()]).toEqual([2, `:${letters.join('')}`])
  answers[1]?.(':abc')
  await turn()
  expect([answers.length, data()]).toEqual([3, `:${letters.join('')}`])
  answers[2]?.('abcdefghijklmnopqrst, as the server has it')
  await turn()
  expect([answers.length, data()]).toEqual([3, 'abcdefghijklmnopqrst, as the server has it'])
  expect(client.getQueryState(['list'])?.isInvalidated).toBe(false)
})

test('what events make wrong, without anything to put, is asked for once more after a slow answer', async () => {
  const client = createQueryClient()
  const { answers, data } = byHand(client, ['list'])
  answers[0]?.('first')
  await turn()
  for (let event = 0; event < 20; event++) {
    invalidate(client, [['list']], { running: 'kept' })
    await turn()
  }
  answers[1]?.('before the last event')
  await turn()
  answers[2]?.('after it')
  await turn()
  expect([answers.length, data()]).toEqual([3, 'after it'])
})

test('an event after its query was asked for anew is followed by another answer as well', async () => {
  const client = createQueryClient()
  const { answers } = byHand(client, ['list'])
  answers[0]?.('first')
  await turn()
  invalidate(client, [['list']])
  putEvent<string>(client, ['list'], (list) => list)
  invalidate(client, [['list']])
  putEvent<string>(client, ['list'], (list) => list)
  await turn()
  answers[2]?.('third')
  await turn()
  expect(answers).toHaveLength(4)
})

test('an event during an answer that fails has it asked for once more', async () => {
  const client = createQueryClient()
  const { answers, refuse, data } = byHand(client, ['list'])
  answers[0]?.('first')
  await turn()
  invalidate(client, [['list']])
  putEvent<string>(client, ['list'], (list) => `${list}, event`)
  refuse(new Error('too slow'))
  await turn()
  expect([answers.length, data()]).toEqual([3, 'first, event'])
})

test.each([
  ['has data', 'first'],
  ['has none', undefined],
])('an event after an answer that failed has a query asked for again that %s', async (_which, first) => {
  const client = createQueryClient()
  const { answers, refuse } = byHand(client, ['list'])
  if (first) {
    answers[0]?.(first)
    await turn()
    invalidate(client, [['list']])
  }
  refuse(new Error('down'))
  await turn()
  const before = answers.length
  putEvent<string>(client, ['list'], (list) => list)
  await turn()
  expect(answers).toHaveLength(before + 1)
})

test.each([
  ['an event', (client: QueryClient) => putEvent<string>(client, ['list'], (list) => `${list}, event`)],
  ['a change', (client: QueryClient) => invalidate(client, [['list']], { refetchType: 'none' })],
])(
  'what %s makes wrong during an answer that nobody waits for anymore is asked for when it is next shown',
  async (_what, happens) => {
    const client = createQueryClient()
    const { answers, hide } = byHand(client, ['list'])
    answers[0]?.('first')
    await turn()
    void client.refetchQueries({ queryKey: ['list'] })
    happens(client)
    hide()
    await turn()
    const again = byHand(client, ['list'])
    expect([answers.length, again.answers.length]).toEqual([2, 1])
  },
)

test('what an event follows is asked for at once where one page takes the place of another', async () => {
  const client = createQueryClient()
  const before = byHand(client, ['list'])
  before.answers[0]?.('first')
  await turn()
  invalidate(client, [['list']])
  putEvent<string>(client, ['list'], (list) => `${list}, event`)
  before.hide()
  const { answers, data } = byHand(client, ['list'])
  await turn()
  answers[0]?.('what else is new')
  await turn()
  expect([before.answers.length, answers.length, data()]).toEqual([2, 1, 'what else is new'])
})

test.each([
  ['for its next use', true, { refetchType: 'none' as const }],
  ['while nobody looks at it', false, {}],
])('a query with data that is invalidated %s during an answer stays so', async (_how, isShown, filters) => {
  const client = createQueryClient()
  const { answers, hide } = byHand(client, ['list'], { finishes: true })
  answers[0]?.('first')
  await turn()
  invalidate(client, [['list']])
  if (!isShown) hide()
  invalidate(client, [['list']], filters)
  answers[1]?.('before the change')
  await turn()
  expect([answers.length, client.getQueryState(['list'])?.isInvalidated]).toEqual([2, true])
})

test('an event’s change leaves what was to be asked for again as it is', async () => {
  const client = createQueryClient()
  client.setQueryData(['chat'], 'before the cut')
  invalidate(client, [['chat']], { refetchType: 'none' })
  putEvent<string>(client, ['chat'], () => 'online')
  expect(client.getQueryData(['chat'])).toBe('online')
  expect(client.getQueryState(['chat'])?.isInvalidated).toBe(true)
})
