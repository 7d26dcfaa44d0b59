import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from './api.ts'
import { routes } from './routes.ts'
import { serverNow } from './server-clock.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const answered = async (headers: Record<string, string>) => {
  vi.stubGlobal('fetch', async () => Response.json({}, { headers }))
  await call(routes.config)
}

test('the present is that of the server’s last answer, and goes on from there', async () => {
  const aheadSeconds = () => (serverNow().getTime() - Date.now()) / 1000
  await answered({ date: new Date(NOON).toUTCString() })
  expect(aheadSeconds()).toBe(0)
  await answered({ date: new Date(NOON + 90_000_000).toUTCString() })
  expect(aheadSeconds()).toBe(90_000)
  await answered({})
  vi.setSystemTime(NOON + 5_500)
  expect(aheadSeconds()).toBe(90_000)
  await answered({ date: new Date(NOON + 5_000).toUTCString() })
  expect(aheadSeconds()).toBe(-0.5)
})
