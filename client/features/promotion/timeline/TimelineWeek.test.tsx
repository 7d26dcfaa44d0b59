import { MantineProvider } from '@mantine/core'
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
  vi.unstubAllEnvs()
  hear(new Date())
})

function opens(day: string, onChange: (day: string) => void = () => {}): void {
  const week = <TimelineWeek day={day} onChange={onChange} />
  render(
    <MantineProvider>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={createMemoryRouter([{ path: '/', element: week }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('today is the server’s, however wrong the browser’s clock is', async () => {
  const date = new Date('2030-06-12T12:00:00Z').toUTCString()
  vi.stubGlobal('fetch', async () => Response.json({ items: [], nextCursor: null }, { headers: { date } }))
  hear(new Date(date))
  const chosen: string[] = []
  opens('2030-06-10', (day) => chosen.push(day))
  await screen.findAllByText('Nothing planned')
  expect(document.querySelector('[data-today]')?.textContent).toContain('Jun 12')
  await userEvent.click(screen.getByRole('button', { name: 'Today' }))
  expect(chosen).toEqual(['2030-06-12'])
})

test('what goes up at a time that comes twice says by which clock', async () => {
  vi.stubEnv('TZ', 'America/New_York')
  const items = ['04:00', '05:00', '06:00', '07:00'].map((time) => ({
    ...{ _id: time, postId: time, title: `At ${time}`, subreddit: 'Gardens', state: 'scheduled' },
    ...{ postTime: `2026-11-01T${time}:00.000Z`, postedTime: null, removedBy: null, score: null },
    ...{ takenDownAt: null, commentsCount: null, commentState: 'none', failure: null, clash: null },
  }))
  vi.stubGlobal('fetch', async () => Response.json({ items, nextCursor: null }))
  opens('2026-11-01')
  await screen.findByText('At 05:00')
  const times = [...document.querySelectorAll('li time')].map(({ textContent }) => textContent)
  expect(times.slice(1, 3)).toEqual(['1:00 AM EDT', '1:00 AM EST'])
  for (const once of [times[0], times[3]]) expect(once).toMatch(/^\d+:00 AM$/)
})
