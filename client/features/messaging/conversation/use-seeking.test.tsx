import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook } from '@testing-library/react'
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { answer, OTHER } from '../cache/sample.ts'
import { useSeeking } from './use-seeking.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a message that was searched for is gone to and pointed out however long its neighbors take', async () => {
  vi.useFakeTimers()
  const loaded = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async () => {
    await loaded.promise
    return Response.json(answer([41, 42, 43]))
  })
  const client = createQueryClient()
  const [list, sought] = [{ current: null }, { position: 42 }]
  const { result } = renderHook(() => useSeeking(list, OTHER, [], sought), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
  await pass(10_000)
  expect(result.current).toBe(42)
  loaded.resolve()
  await pass(1000)
  expect(result.current).toBe(42)
  await pass(2000)
  expect(result.current).toBeNull()
  client.clear()
})
