import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { type TimelineItem, useMoveDay, useMoveItem } from './api.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a day is moved once the move of an item before it arrived', async () => {
  const asked: string[] = []
  const arrived = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(new URL(address, 'http://localhost').pathname)
    if (asked.length === 1) await arrived.promise
    return Response.json({})
  })
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => ({ item: useMoveItem(), day: useMoveDay() }), { wrapper })
  const moved = { _id: 'one', postTime: '2026-11-23T08:00:00Z' } as TimelineItem
  result.current.item.mutate({ item: moved, postTime: '2026-11-23T09:00:00Z' })
  await waitFor(() => expect(asked).toHaveLength(1))
  const day = { from: '2026-11-23T00:00:00Z', to: '2026-11-24T00:00:00Z', days: 1, timeZone: 'UTC' }
  result.current.day.mutate(day)
  await waitFor(() => expect(result.current.day.isPaused).toBe(true))
  expect(asked).toHaveLength(1)
  arrived.resolve()
  await waitFor(() => expect(asked).toHaveLength(2))
})
