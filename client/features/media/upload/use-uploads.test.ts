import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { mediaQuery } from '../api.ts'
import { uploadsReady } from './use-uploads.ts'

afterEach(() => vi.unstubAllGlobals())

test('of a hundred uploads each is read once: none that is finished asks for those before it again', async () => {
  let asked = 0
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return Response.json({ _id: 'a' })
  })
  const client = createQueryClient()
  for (let finished = 1; finished <= 100; finished += 1) {
    new QueryObserver(client, mediaQuery(`item-${finished}`)).subscribe(() => {})
    await vi.waitUntil(() => client.isFetching() === 0, { interval: 1, timeout: 150_000 })
    uploadsReady(client)
    await vi.waitUntil(() => client.isFetching() === 0, { interval: 1, timeout: 150_000 })
  }
  expect(asked).toBe(100)
})
