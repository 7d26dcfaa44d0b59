import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { ItemChoice } from './ItemChoice.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('every item that promotes can be chosen, however many there are', async () => {
  const item = (title: string) => ({ _id: title, title, createdAt: '2026-11-30T12:00:00.000Z' })
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(
      address.includes('cursor=next')
        ? { items: [item('Oldest')], hasMore: false, nextCursor: null }
        : { items: [item('Newest')], hasMore: true, nextCursor: 'next' },
    ),
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ItemChoice value="" onChange={() => {}} error={undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await screen.findByRole('option', { name: /^Newest/ })
  expect(await screen.findByRole('option', { name: /^Oldest/ })).toBeDefined()
})
