import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import { Component } from './CreatePostPage.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('an empty form names everything that is missing at once', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ items: [], brand: { name: 'Fanfare' } }))
  const router = createMemoryRouter([{ path: '*', element: <Component /> }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineScope>
        <RouterProvider router={router} />
      </MantineScope>
    </QueryClientProvider>,
  )
  const [send] = screen.getAllByRole('button').slice(-1)
  await userEvent.click(send as HTMLElement)
  expect(await screen.findByText('Enter a title.')).toBeDefined()
  expect(screen.getByText('Paste a RedGifs link or ID.')).toBeDefined()
})
