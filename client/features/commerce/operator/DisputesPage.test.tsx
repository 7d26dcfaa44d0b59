import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, roots } from '../../../lib/query.ts'
import { Component as DisputesPage } from './DisputesPage.tsx'
import { outcomes, disputeTexts as texts } from './texts.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const person = (username: string) => ({ _id: username, username })

function openWith(dispute: { status: string; respondBy: string | null; kind: string }): void {
  const item = {
    ...{
      _id: 'dispute',
      transactionId: 'order',
      title: 'A set',
      buyer: person('fan'),
      creator: person('mara'),
    },
    ...{ amount: '$10', fee: '$15', cause: 'fraud', caseNumber: 'CB-1', decidedAt: null },
    ...{ openedAt: '2020-11-21T12:00:00Z', ...dispute },
  }
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(
      address.includes('ratio')
        ? { payments: 100, disputes: 1, percent: 1 }
        : { items: [item], hasMore: false, nextCursor: null },
    ),
  )
  const client = createQueryClient()
  client.setQueryData(roots.config, { brand: { name: 'Fanfare' } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: <DisputesPage /> }])} />
    </QueryClientProvider>,
  )
}

test.each([
  ['open', '2020-12-01', true],
  ['open', '2999-12-01', false],
  ['lost', '2020-12-01', false],
  ['open', null, false],
])('a dispute that is %s with evidence due %s is marked late: %s', async (status, respondBy, isLate) => {
  openWith({ status, respondBy, kind: 'single' })
  const list = within(await screen.findByRole('list', { name: texts.label }))
  expect(list.queryAllByText(texts.late)).toHaveLength(isLate ? 1 : 0)
  expect(list.queryAllByText(/Evidence was due/)).toHaveLength(isLate ? 1 : 0)
})

test.each([
  ['tip', 'won', outcomes.won.tipEffect],
  ['tip', 'lost', outcomes.lost.tipEffect],
  ['single', 'won', outcomes.won.effect],
] as const)('who decides on a %s that was %s reads what that does', async (kind, outcome, effect) => {
  openWith({ status: 'open', respondBy: null, kind })
  await userEvent.click(
    await screen.findByRole('button', { name: new RegExp(`^${outcomes[outcome].button}`) }),
  )
  await within(await screen.findByRole('dialog')).findByText(effect)
})
