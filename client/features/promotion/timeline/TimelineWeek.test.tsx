import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { hearTime } from '../../../lib/server-clock.ts'
import { TimelineWeek } from './TimelineWeek.tsx'

const hear = (time: Date) => hearTime(new Response(null, { headers: { date: time.toUTCString() } }))

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  hear(new Date())
})

test('today is the server’s, however wrong the browser’s clock is', async () => {
  const date = new Date('2030-06-12T12:00:00Z').toUTCString()
  vi.stubGlobal('fetch', async () => Response.json({ items: [], nextCursor: null }, { headers: { date } }))
  hear(new Date(date))
  const chosen: string[] = []
  const week = <TimelineWeek day="2030-06-10" onChange={(day) => chosen.push(day)} />
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: week }])} />
    </QueryClientProvider>,
  )
  await screen.findAllByText('Nothing planned')
  expect(document.querySelector('[data-today]')?.textContent).toContain('Jun 12')
  await userEvent.click(screen.getByRole('button', { name: 'Today' }))
  expect(chosen).toEqual(['2030-06-12'])
})
