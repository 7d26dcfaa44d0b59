import { afterEach, expect, test, vi } from 'vitest'
import { ownTimeZone } from './own-time-zone.ts'

afterEach(() => vi.restoreAllMocks())

test('a browser that says an old name is in the zone of today’s', () => {
  const options = new Intl.DateTimeFormat().resolvedOptions()
  const said = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
  said.mockReturnValue({ ...options, timeZone: 'Europe/Kiev' })
  expect(ownTimeZone()).toBe('Europe/Kyiv')
})
