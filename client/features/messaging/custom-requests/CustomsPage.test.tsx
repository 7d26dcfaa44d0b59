import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, roots } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import type { CustomRequest } from './api.ts'
import { Component as CustomsPage } from './CustomsPage.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const ME = { _id: 'fan', isCreator: false, timeZone: 'UTC', permissions: [] }

const accepted = (requestMessage: string, payable: boolean): CustomRequest => ({
  ...{ _id: requestMessage, userId: 'fan', creatorId: 'creator', state: 'accepted', maxMinutes: 3 },
  ...{ pricePerMinute: '$4', price: '$9', deliveryDays: 7, deliverBy: null, late: false, reason: null },
  ...{ requestedBy: 'fan', username: 'finn', creatorUsername: 'mara', createdAt: '2026-11-21T12:00:00Z' },
  ...{ requestMessage, messageId: null, payable },
})

test('what was accepted can be paid, unless its creator blocks the fan', async () => {
  const items = [accepted('A song', true), accepted('A poem', false)]
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(address.includes('/users/customs') ? { items, hasMore: false, nextCursor: null } : ME),
  )
  writeToken('token')
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  client.setQueryData(roots.config, { brand: { name: 'Fanfare' } })
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: <CustomsPage /> }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  const buttonsOf = async (wish: string) => {
    const item = (await screen.findByText(wish)).closest('li') as HTMLElement
    return within(item)
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
  }
  expect(await buttonsOf('A song')).toEqual(['Pay $9', 'Delete'])
  expect(await buttonsOf('A poem')).toEqual(['Delete'])
})
