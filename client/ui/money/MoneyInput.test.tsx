import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { MoneyInput } from './MoneyInput.tsx'

afterEach(cleanup)

/** A form that holds a price, and can set it by itself. */
function Form({ initial }: { initial: string }) {
  const [price, setPrice] = useState(initial)
  return (
    <MantineProvider>
      <MoneyInput label="Price" value={price} onChange={setPrice} />
      <output>{price}</output>
      <button type="button" onClick={() => setPrice('$4')}>
        Reset
      </button>
    </MantineProvider>
  )
}

const field = () => screen.getByLabelText<HTMLInputElement>('Price')
const held = () => document.querySelector('output')?.textContent

test.each([
  ['25', '$25', '$25', '$25'],
  ['1234.5', '$1,234.5', '$1,234.50', '$1,234.50'],
  ['-3', '-$3', '-$3', '-$3'],
  ['12345678', '$1,234,567', '$1,234,567', '$1,234,567'],
  ['abc', '', '', ''],
])('typing %s shows %s, then %s when it is left, and holds %s', async (typed, shown, left, value) => {
  const user = userEvent.setup()
  render(<Form initial="" />)
  await user.type(field(), typed)
  expect(field().value).toBe(shown)
  expect(held()).toBe(value)
  await user.tab()
  expect(field().value).toBe(left)
  expect(held()).toBe(value)
})

test.each([
  ['12,50', '$12.50'],
  ['$1234,5', '$1,234.50'],
  ['1,234', '$1,234'],
  ['1,234.50', '$1,234.50'],
  ['12.50', '$12.50'],
])('pasting %s holds %s', async (pasted, value) => {
  const user = userEvent.setup()
  render(<Form initial="" />)
  await user.click(field())
  await user.paste(pasted)
  expect(held()).toBe(value)
  await user.tab()
  expect([field().value, held()]).toEqual([value, value])
})

test('parts of a cent stay as they were typed, and are refused with a sentence, not cut off', async () => {
  const user = userEvent.setup()
  render(<Form initial="" />)
  await user.type(field(), '12.505')
  await user.tab()
  expect([field().value, held()]).toEqual(['$12.505', '$12.505'])
  expect(screen.getByText('Enter an amount like $4 or $4.50.')).toBeDefined()
  await user.clear(field())
  await user.type(field(), '12.50')
  expect([held(), screen.queryByText('Enter an amount like $4 or $4.50.')]).toEqual(['$12.50', null])
})

test('what the form sets is what the field shows, whatever was typed before', async () => {
  const user = userEvent.setup()
  render(<Form initial="$4.50" />)
  expect(field().value).toBe('$4.50')
  await user.clear(field())
  expect(held()).toBe('')
  await user.type(field(), '25')
  await user.click(screen.getByRole('button', { name: 'Reset' }))
  expect(field().value).toBe('$4')
})

test.each([
  ['a click', (user: UserEvent) => user.click(field())],
  ['Tab', (user: UserEvent) => user.tab()],
])('what is typed after %s replaces the price that is there', async (_how, enter) => {
  const user = userEvent.setup()
  render(<Form initial="$4" />)
  await enter(user)
  await waitFor(() => expect([field().selectionStart, field().selectionEnd]).toEqual([0, 2]))
  await user.keyboard('7.50')
  expect(held()).toBe('$7.50')
})

test('the price that is there can still be edited', async () => {
  const user = userEvent.setup()
  render(<Form initial="$4" />)
  await user.tab()
  await user.keyboard('{ArrowRight}0')
  expect(held()).toBe('$40')
})
