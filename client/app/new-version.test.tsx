import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyExtra } from '../ui/lazy-part.tsx'
import { loadsNextWhole } from './new-version.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('an extra whose code the browser won’t request again comes with the next page, which is loaded whole', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}))
  const load = vi.fn(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
  const Extra = lazyExtra(load)
  expect(loadsNextWhole()).toBe(false)
  render(<Extra />)
  await expect.poll(loadsNextWhole).toBe(true)
  expect(load).toHaveBeenCalledTimes(2)
})
