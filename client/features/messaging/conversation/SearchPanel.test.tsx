import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { message } from '../cache/sample.ts'
import SearchPanel, { fromFound } from './SearchPanel.tsx'

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

test.each([
  ['short and near', 'NEAR', 'short and near'],
  [
    'a message that goes on for long before it comes to the point',
    ' The Point ',
    '…before it comes to the point',
  ],
  [`${'a'.repeat(40)}point, and on`, 'point', '…point, and on'],
  [
    'of another alphabet, so that it isn’t found alike',
    'ΟΔΟΣ',
    'of another alphabet, so that it isn’t found alike',
  ],
])('“%s” in which “%s” was found is shown as “%s”', (content, sought, shown) => {
  expect(fromFound(content, sought)).toBe(shown)
})
