import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../../lib/query.ts'
import { ReauthenticationProvider } from '../../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { AdjustmentDialog } from './AdjustmentDialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('an only operator is told what is posted at once, and only then does it', async () => {
  const sent: { alone?: boolean; amount: string }[] = []
  vi.stubGlobal('fetch', async (_address: string, { body }: RequestInit) => {
    const asked = JSON.parse(String(body))
    sent.push(asked)
    return asked.alone
      ? Response.json({ status: 'posted' })
      : Response.json({ error: 'No one else can approve this.', code: 'adjustment_alone' }, { status: 409 })
  })
  const closed = vi.fn()
  const element = (
    <ReauthenticationProvider>
      <AdjustmentDialog opened onClose={closed} />
    </ReauthenticationProvider>
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  await userEvent.type(await screen.findByLabelText(/^Amount/), '41.17')
  await userEvent.type(screen.getByLabelText(/^Document number/), 'INV-7')
  await userEvent.type(screen.getByLabelText(/^Document date/), '2026-01-31')
  await userEvent.type(screen.getByLabelText(/^Reason/), 'The bill')
  await userEvent.click(screen.getByRole('button', { name: 'Enter adjustment' }))
  const question = within(await screen.findByRole('dialog', { name: 'Post this adjustment now?' }))
  question.getByText('$41.17 moves from “Bank account” to “Processor fees”.')
  expect(closed).not.toHaveBeenCalled()
  await userEvent.click(question.getByRole('button', { name: 'Post adjustment' }))
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  expect(sent.map(({ alone }) => alone ?? false)).toEqual([false, true])
})
