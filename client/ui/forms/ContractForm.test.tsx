import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { route } from '../../../contract/route.ts'
import { TextField } from '../fields/Field.tsx'
import { ContractForm, useContractForm } from './ContractForm.tsx'

const stay = route({
  method: 'POST',
  path: '/stay',
  summary: 'Books a stay.',
  access: 'user',
  body: z.object({ from: z.string(), to: z.string() }),
  output: z.object({}),
})

function Stay() {
  const form = useContractForm(stay, {
    initial: { from: '', to: '' },
    check: ({ from, to }) => (from && to && to < from ? { to: 'Ends before it begins.' } : {}),
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <TextField label="From" {...form.field('from')} />
      <TextField label="To" {...form.field('to')} />
    </ContractForm>
  )
}

afterEach(cleanup)

test('what is wrong between two fields is no longer said once either of them mends it', async () => {
  const router = createMemoryRouter([{ path: '/', element: <Stay /> }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('From'), '5')
  await user.type(screen.getByLabelText('To'), '3')
  await user.tab()
  expect(await screen.findByText('Ends before it begins.')).toBeDefined()
  await user.clear(screen.getByLabelText('From'))
  await user.type(screen.getByLabelText('From'), '2')
  expect(screen.queryByText('Ends before it begins.')).toBeNull()
})
