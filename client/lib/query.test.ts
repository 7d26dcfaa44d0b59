import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { ApiError } from './api.ts'
import { createQueryClient, resetPersonal } from './query.ts'

/** A query that is shown, and how often it was asked for. */
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

test('who logs in or out keeps what belongs to the browser and nothing else', async () => {
  const client = createQueryClient()
  const config = await shown(client, ['config'], 'browser')
  const profile = await shown(client, ['profiles'])
  resetPersonal(client)
  await expect.poll(profile.asked).toBe(2)
  expect(config.asked()).toBe(1)
})
