import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { Calendar } from './Calendar.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const item = (title: string, postTime: string) => ({ _id: title, title, postTime, state: 'scheduled' })

test('a part of a week that doesn’t come is asked for once, and again when it is wanted', async () => {
  const asked: (string | null)[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    const cursor = new URL(address, 'http://localhost').searchParams.get('cursor')
    asked.push(cursor)
    if (cursor === null)
      return Response.json({ items: [item('Monday', '2026-11-23T12:00:00Z')], nextCursor: 'next' })
    return asked.length === 2
      ? Response.json({ error: 'Not now.', code: 'invalid_input' }, { status: 400 })
      : Response.json({ items: [item('Tuesday', '2026-11-24T12:00:00Z')], nextCursor: null })
  })
  const calendar = (
    <Calendar from="2026-11-23T00:00:00Z" to="2026-11-30T00:00:00Z" nameOf={String} timeIn={String}>
      {(items) => <p>{items.map(({ title }) => title).join(' and ')}</p>}
    </Calendar>
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: calendar }])} />
    </QueryClientProvider>,
  )
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByText('Not now.')).not.toBeNull()
  await userEvent.click(again)
  await screen.findByText('Monday and Tuesday')
  await waitFor(() => expect(asked).toEqual([null, 'next', 'next']))
})
