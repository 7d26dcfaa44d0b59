import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyPart } from './lazy-part.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a part whose code could not be loaded without a connection comes once that is back', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const load = vi.fn(async () => () => <p>The tray</p>)
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  const Part = lazyPart(load)
  const silent = vi.spyOn(console, 'error').mockImplementation(() => {})
  render(
    <MantineProvider>
      <Part />
    </MantineProvider>,
  )
  await screen.findByText('We couldn’t load this part of the page')
  fireEvent(window, new Event('online'))
  await screen.findByText('The tray')
  expect(load).toHaveBeenCalledTimes(2)
  silent.mockRestore()
})
