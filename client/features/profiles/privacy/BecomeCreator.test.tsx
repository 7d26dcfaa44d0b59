import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { BecomeCreator } from './BecomeCreator.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a fan is told that everyone can find a creator before becoming one, and is led to their new pages', async () => {
  const called: string[] = []
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    called.push(`${method} ${address}`)
    return Response.json({ success: true })
  })
  const router = createMemoryRouter([
    { path: '/', element: <BecomeCreator /> },
    { path: '/dashboard', element: <p>A creator’s pages</p> },
  ])
  render(
    <MantineProvider>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Become a creator' }))
  await screen.findByText(/^Everyone can find you then, .* You can’t switch back\.$/)
  expect(called).toEqual([])
  await user.click(screen.getByText('Become a creator', { selector: '[role=dialog] button *' }))
  await screen.findByText('A creator’s pages')
  expect(called).toEqual(['POST /api/users/becomecreator'])
})
