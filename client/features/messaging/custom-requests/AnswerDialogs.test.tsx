import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { AcceptDialog } from './AnswerDialogs.tsx'
import type { RequestTerms } from './api.ts'

afterEach(cleanup)

const asked: RequestTerms = {
  ...{ _id: 'request', userId: 'fan', creatorId: 'creator', state: 'requested', maxMinutes: 3 },
  ...{ pricePerMinute: '$4', price: null, deliveryDays: null, deliverBy: null, late: false, reason: null },
}

test.each([
  { price: null, title: 'Accept this request', confirm: 'Accept request' },
  { price: '$9', title: 'Change price and deadline', confirm: 'Save' },
])('a request with the price $price says “$title”', async ({ price, title, confirm }) => {
  const element = <AcceptDialog request={{ ...asked, price }} onClose={() => {}} />
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  await screen.findByRole('dialog', { name: title })
  expect(screen.getByRole('button', { name: confirm })).toBeDefined()
})
