import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyPart, useCodeAhead } from './lazy-part.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Shows a part that fails, until it says so. */
async function showFailed(load: Parameters<typeof lazyPart>[0]): Promise<void> {
  const Part = lazyPart(load)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  render(
    <MantineProvider>
      <Part />
    </MantineProvider>,
  )
  await screen.findByText('We couldn’t load this part of the page')
}

test('a part whose code could not be loaded without a connection comes once that is back', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const load = vi.fn(async () => () => <p>The tray</p>)
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  await showFailed(load)
  fireEvent(window, new Event('online'))
  await screen.findByText('The tray')
  expect(load).toHaveBeenCalledTimes(2)
})

test('a part that broke while it was drawn is not drawn again because a connection is back', async () => {
  const draws = vi.fn(() => {
    throw new Error('broken')
  })
  await showFailed(async () => draws)
  const before = draws.mock.calls.length
  fireEvent(window, new Event('online'))
  await act(async () => {})
  expect(draws).toHaveBeenCalledTimes(before)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await expect.poll(() => draws.mock.calls.length).toBeGreaterThan(before)
})

test('code ahead is not asked for while the server cannot be reached, and comes once after that', async () => {
  vi.useFakeTimers()
  const load = vi.fn(async () => {})
  const fetch = vi.fn(async () => Promise.reject<Response>(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', fetch)
  renderHook(() => useCodeAhead(load, 5000))
  await vi.advanceTimersByTimeAsync(20_000)
  expect(fetch).toHaveBeenCalled()
  expect(load).not.toHaveBeenCalled()
  fetch.mockImplementation(async () => Response.json({}))
  await vi.advanceTimersByTimeAsync(20_000)
  expect(load).toHaveBeenCalledTimes(1)
})
