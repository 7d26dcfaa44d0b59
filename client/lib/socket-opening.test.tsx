import type { Socket } from 'socket.io-client'
import { expect, test } from 'vitest'
import { type Handlers, openSocket } from './socket-opening.ts'

test('a lost connection is made again without an end, after 1 to 5 seconds', () => {
  const ended = new AbortController()
  const opened: Socket[] = []
  const handlers = { connected: () => {} } as unknown as Handlers
  openSocket(
    { token: 'token', timeZone: 'Europe/Paris' },
    handlers,
    ended.signal,
    (socket, state) => state === 'opened' && opened.push(socket),
  )
  const made = opened.map(({ io }) => ({
    connectTimeout: io.timeout(),
    reconnects: io.reconnection(),
    delay: io.reconnectionDelay(),
    mostDelay: io.reconnectionDelayMax(),
    randomization: io.randomizationFactor(),
    attempts: io.reconnectionAttempts(),
  }))
  ended.abort()
  const delays = { delay: 1_000, mostDelay: 5_000, randomization: 0.5 }
  expect(made).toEqual([
    { connectTimeout: 20_000, reconnects: true, ...delays, attempts: Number.POSITIVE_INFINITY },
  ])
})
