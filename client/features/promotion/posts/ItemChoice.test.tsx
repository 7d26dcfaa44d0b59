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

test('who has no item that promotes is told so, and what is missing once the form was sent', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ items: [], hasMore: false, nextCursor: null }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ItemChoice value="" onChange={() => {}} error="Choose an item." />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await screen.findByText(/None of your media is set to Forum promotion yet/)
  expect(screen.getByRole('alert').textContent).toBe('Choose an item.')
})
