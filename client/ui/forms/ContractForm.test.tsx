import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { route } from '../../../contract/route.ts'
import { FieldGroup } from '../FieldGroup.tsx'
import { ChoiceField } from '../fields/ChoiceField.tsx'
import { TextField } from '../fields/Field.tsx'
import { SelectField } from '../fields/SelectField.tsx'
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

const meal = route({
  method: 'POST',
  path: '/meal',
  summary: 'Orders a meal.',
  access: 'user',
  body: z.object({ dish: z.string(), table: z.string(), sides: z.string() }),
  output: z.object({}),
})

/** A form in which only this field is wrong. */
function Meal({ wrong }: { wrong: 'dish' | 'table' | 'sides' }) {
  const form = useContractForm(meal, {
    initial: { dish: '', table: '', sides: '' },
    check: () => ({ [wrong]: 'Choose one.' }),
    lost: null,
  })
  const choices = [{ value: 'one', label: 'One' }]
  return (
    <ContractForm form={form}>
      <ChoiceField label="Dish" choices={choices} {...form.field('dish')} />
      <SelectField label="Table" description="By the window." choices={choices} {...form.field('table')} />
      <FieldGroup legend="Sides" error={form.errorAt('sides')}>
        <button type="button">Rice</button>
      </FieldGroup>
      <button type="submit">Order</button>
    </ContractForm>
  )
}

const described = (element: Element | null) =>
  element
    ?.getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)

test.each([
  [
    'dish',
    () => screen.getByRole('radio'),
    () => screen.getByRole('group', { name: 'Dish' }),
    ['Choose one.'],
  ],
  ['table', () => screen.getByLabelText('Table'), null, ['By the window.', 'Choose one.']],
  ['sides', () => screen.getByRole('group', { name: 'Sides' }), null, ['Choose one.']],
] as const)('a choice that is wrong, %s, has the focus and says why', async (wrong, field, group, said) => {
  const router = createMemoryRouter([{ path: '/', element: <Meal wrong={wrong} /> }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await userEvent.setup().click(screen.getByText('Order'))
  expect(await screen.findByText('Choose one.')).toBeDefined()
  expect(document.activeElement).toBe(field())
  expect(field().getAttribute('aria-invalid')).toBe('true')
  expect(described((group ?? field)())).toEqual(said)
})

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
