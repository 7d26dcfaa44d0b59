import pg from 'pg'
import { pino } from 'pino'
import { expect, inject, test, vi } from 'vitest'
import type { Signal } from '../../contract/realtime.ts'
import { startSilentProxy } from '../testing/silent-proxy.ts'
import { CHANNEL } from './publish.ts'
import { subscribe } from './subscriber.ts'

const USER = '00000000-0000-7000-8000-000000000001'

test('a connection that no longer answers is replaced, which is told once, and what comes then is heard', async () => {
  const proxy = await startSilentProxy()
  const heard: Signal[] = []
  const onGap = vi.fn(async () => {})
  const heartbeat = { every: 50, timeout: 2000 }
  const subscriber = await subscribe({
    connectionString: proxy.connectionString,
    log: pino({ level: 'silent' }),
    onSignal: (signal) => heard.push(signal),
    onGap,
    heartbeat,
  })
  const first = subscriber.listener()
  proxy.silence()
  // Its replacement has a minute, so that a busy machine doesn’t lose it as well.
  heartbeat.timeout = 60_000
  await vi.waitUntil(() => onGap.mock.calls.length > 0, { timeout: 150_000 })
  expect(subscriber.listener()).not.toBe(first)
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  const signal: Signal = { name: 'presence', userId: USER, online: true, people: [] }
  await client.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(signal)])
  await vi.waitUntil(() => heard.length > 0, { timeout: 150_000 })
  await client.end()
  await subscriber.stop()
  expect(heard).toEqual([signal])
  expect(onGap).toHaveBeenCalledOnce()
})

test('a connection that breaks again before the gap of the first was told is replaced as well, and heard, whichever is told last', async () => {
  const heard: Signal[] = []
  const gaps: PromiseWithResolvers<void>[] = []
  const subscriber = await subscribe({
    connectionString: inject('databaseUrl'),
    log: pino({ level: 'silent' }),
    onSignal: (signal) => heard.push(signal),
    onGap: () => {
      const gap = Promise.withResolvers<void>()
      gaps.push(gap)
      return gap.promise
    },
  })
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  for (const count of [1, 2]) {
    await client.query('select pg_terminate_backend($1)', [subscriber.listener()])
    await vi.waitUntil(() => gaps.length === count, { timeout: 150_000 })
  }
  for (const gap of gaps.toReversed()) {
    gap.resolve()
    await new Promise(setImmediate)
  }
  const signal: Signal = { name: 'presence', userId: USER, online: true, people: [] }
  await client.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(signal)])
  await vi.waitUntil(() => heard.length > 0, { timeout: 150_000 })
  await client.end()
  await subscriber.stop()
  expect(heard).toEqual([signal])
})
