import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { Component as ReportsPage } from './ReportsPage.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const AT = '2026-11-21T12:00:00Z'
const person = (username: string) => ({ _id: username, username, permissions: ['media.quarantine'] })
const REPORT = {
  ...{ _id: 'report', sender: person('ada'), reporter: person('bo'), content: 'Look', earlier: [] },
  ...{ reason: 'It shows me', createdAt: AT, readable: true, closedAt: null, closedBy: null, decision: '' },
}
const ATTACHMENT = {
  ...{ _id: 'lake', username: 'ada', type: 'image', title: '', url: null, widths: [], price: '$0' },
  ...{ duration: null, width: 4, height: 3, preview: '', locked: true, takenDown: true },
}
const LINE = {
  ...{
    _id: 'line',
    senderId: 'ada',
    content: 'Look',
    earlier: [],
    reported: true,
    deleted: false,
    createdAt: AT,
  },
  attachments: [ATTACHMENT],
}

test('why an attachment is down is changed where its report is read', async () => {
  writeToken('token')
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit = {}) => {
    if (address.includes('/admin/media/takedown'))
      return Response.json({
        takedown: { ground: 'review', note: '', blockFile: false },
        copies: { count: 0, items: [] },
      })
    if (address.includes('/admin/media/quarantine')) {
      sent.push(JSON.parse(String(body)))
      return Response.json({ success: true })
    }
    if (address.includes('/config')) return Response.json({ brand: { name: 'Fanfare' } })
    if (address.includes('/read')) return Response.json({ messages: [LINE] })
    if (address.includes('/admin/messagereports'))
      return Response.json({ items: [REPORT], hasMore: false, nextCursor: null })
    return Response.json(person('operator'))
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '/', element: <ReportsPage /> }])} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Read the messages around it' }))
  await screen.findByText('Taken down')
  expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Messages around it' }))
  await user.click(screen.getByRole('button', { name: 'Change the reason' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change the reason?' }))
  await user.selectOptions(await dialog.findByLabelText(/Reason for the creator/), 'Missing consent')
  await user.type(dialog.getByLabelText(/Internal reason/), 'Decided')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toMatchObject([{ mediaId: 'lake', ground: 'consent' }]))
})

test('a report says when it came, when its message was sent, and who closed it when', async () => {
  writeToken('token')
  const closed = { closedAt: '2026-11-22T09:30:00', closedBy: person('olga'), decision: 'Warned' }
  const report = { ...REPORT, createdAt: '2026-11-21T12:00:00' }
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('/config')) return Response.json({ brand: { name: 'Fanfare' } })
    if (address.includes('/read'))
      return Response.json({ messages: [{ ...LINE, attachments: [], createdAt: '2026-11-20T15:40:00' }] })
    if (!address.includes('/admin/messagereports')) return Response.json(person('operator'))
    const items = [address.includes('showing=closed') ? { ...report, ...closed } : report]
    return Response.json({ items, hasMore: false, nextCursor: null })
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '/', element: <ReportsPage /> }])} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const user = userEvent.setup()
  const list = async () => (await screen.findByRole('list', { name: 'Reports' })).textContent
  await waitFor(async () => expect(await list()).toContain('Nov 21, 2026, 12:00 PM · bo'))
  await user.click(screen.getByRole('button', { name: 'Read the messages around it' }))
  await screen.findByText('Nov 20, 2026, 3:40 PM')
  await user.click(screen.getByRole('button', { name: 'Closed' }))
  await waitFor(async () => expect(await list()).toContain('Closed Nov 22, 2026, 9:30 AM by olga: Warned'))
})
