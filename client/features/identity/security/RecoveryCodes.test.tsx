import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RecoveryCodes } from './RecoveryCodes.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('fetch', async () => Response.json({ brand: { name: 'Fanfare' } }))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the second press of a double tap leaves the codes open', async () => {
  const onDone = vi.fn()
  const codes = <RecoveryCodes codes={['8gs3h-mrje5', '5n54e-95sp0']} onDone={onDone} />
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: codes }])} />
    </QueryClientProvider>,
  )
  const button = () => screen.queryByRole('button', { name: 'I saved them' }) as HTMLElement
  // The library's own waiting needs the clock, which stands: how long the dialog's code takes decides nothing.
  await expect.poll(button).not.toBeNull()
  fireEvent.click(button())
  expect(onDone).not.toHaveBeenCalled()
  act(() => vi.advanceTimersByTime(1_000))
  fireEvent.click(button())
  expect(onDone).toHaveBeenCalledOnce()
})
