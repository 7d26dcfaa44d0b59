import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { message } from '../cache/sample.ts'
import SearchPanel from './SearchPanel.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('what was found far down a long message is in sight', async () => {
  const content = 'a message that goes on for long before it comes to its point'
  vi.stubGlobal('fetch', async () => Response.json({ items: [message(1, { content })], nextCursor: null }))
  const panel = <SearchPanel recipientId="other" onFound={() => undefined} onClose={() => undefined} />
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element: panel }])} />
    </QueryClientProvider>,
  )
  await userEvent.type(screen.getByRole('searchbox'), 'Its Point')
  const found = await screen.findByRole('list', undefined, { timeout: 3000 })
  expect(found.textContent).toMatch(/…before it comes to its point$/)
})
