import { afterEach, expect, test, vi } from 'vitest'
import { call } from './api.ts'
import { routes } from './routes.ts'
import { serverNow } from './server-clock.ts'

afterEach(() => void vi.unstubAllGlobals())

const answered = async (headers: Record<string, string>) => {
  vi.stubGlobal('fetch', async () => Response.json({}, { headers }))
  await call(routes.config)
}

test('the present is that of the server’s last answer, and goes on from there', async () => {
  const ahead = () => Math.round((serverNow().getTime() - Date.now()) / 1000)
  await answered({})
  expect(ahead()).toBe(0)
  await answered({ date: new Date(Date.now() + 90_000_000).toUTCString() })
  expect(Math.abs(ahead() - 90_000)).toBeLessThanOrEqual(2)
  await answered({})
  expect(Math.abs(ahead() - 90_000)).toBeLessThanOrEqual(2)
  await answered({ date: new Date().toUTCString() })
  expect(Math.abs(ahead())).toBeLessThanOrEqual(2)
})
