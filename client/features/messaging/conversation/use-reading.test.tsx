import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook } from '@testing-library/react'
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import * as socket from '../../../lib/socket.ts'
import { answer, ME, OTHER } from '../cache/sample.ts'
import { opened } from '../cache/timeline.ts'
import { useReading } from './use-reading.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('what was read is told again while the connection stands and doesn’t answer, until it does', async () => {
  vi.useFakeTimers()
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  vi.spyOn(socket.connection, 'read').mockReturnValue(true)
  const emit = vi.spyOn(socket, 'emit').mockRejectedValueOnce(new Error('operation has timed out'))
  emit.mockResolvedValue({ ok: true })
  const list = document.createElement('div')
  list.innerHTML = '<p data-theirs="1"></p>'
  const client = createQueryClient()
  renderHook(() => useReading(list, { recipientId: OTHER, chat: opened(answer([1])), me: ME }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
  await pass(1000)
  expect(emit.mock.calls).toEqual([['markAsRead', { _id: 'message 1', conversationId: 'conversation' }]])
  await pass(5000)
  expect(emit).toHaveBeenCalledTimes(2)
  await pass(60_000)
  expect(emit).toHaveBeenCalledTimes(2)
})
