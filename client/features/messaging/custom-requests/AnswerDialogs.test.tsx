import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { AcceptDialog, DeclineDialog } from './AnswerDialogs.tsx'
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
  open(price)
  await screen.findByRole('dialog', { name: title })
  expect(screen.getByRole('button', { name: confirm })).toBeDefined()
})

test.each([
  ['20', 'The fan offered up to $12. That’s $8 more than they offered. They decide whether to pay $20.'],
  ['9', 'The fan offered up to $12. That’s less than they offered: they’ll be asked to pay $9.'],
  ['12', 'The fan offered up to $12.'],
])('beside a price of $%s stands what becomes of it', async (price, said) => {
  open(null)
  const field = await screen.findByLabelText('Your price')
  await userEvent.clear(field)
  await userEvent.type(field, price)
  expect(screen.getByText('The fan offered', { exact: false }).textContent).toBe(said)
})

test('closing asks before a reason that was typed is lost', async () => {
  const onClose = vi.fn()
  show(<DeclineDialog requestId="request" onClose={onClose} />)
  const user = userEvent.setup()
  await user.type(await screen.findByRole('textbox'), 'I’m fully booked')
  await user.keyboard('{Escape}')
  await screen.findByText('You haven’t declined this request yet.')
  expect(onClose).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('I’m fully booked')
})

const open = (price: string | null) => show(<AcceptDialog request={{ ...asked, price }} onClose={() => {}} />)

function show(element: ReactElement): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}
