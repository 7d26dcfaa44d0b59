import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import fc from 'fast-check'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { formatCents, formatMoney, parseMoney } from '../../../contract/money.ts'
import { MoneyInput } from './MoneyInput.tsx'
import { moneyTexts } from './texts.ts'

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
  expect(screen.getByText(moneyTexts.tooPrecise)).toBeDefined()
  await user.clear(field())
  await user.type(field(), '12.50')
  expect([held(), screen.queryByText(moneyTexts.tooPrecise)]).toEqual(['$12.50', null])
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

test.each(['1,000', '1,250', '12,500', '1,250.00', '1,250,000', '1.000'])(
  '%s typed key by key is refused with a sentence, and stays refused once the field is left',
  async (typed) => {
    const user = userEvent.setup()
    render(<Form initial="$4" />)
    await user.tab()
    await user.keyboard(typed)
    for (const leave of [false, true]) {
      if (leave) await user.tab()
      expect(parseMoney(held() ?? '')).toBeNull()
      expect(screen.getByText(moneyTexts.tooPrecise)).toBeDefined()
      expect(field().value.replaceAll(/\D/g, '')).toBe(typed.replaceAll(/\D/g, ''))
    }
  },
)

test.each([
  ['12,50', '$12.50'],
  ['1,250', '$1,250'],
  ['1,250.50', '$1,250.50'],
  ['1250', '$1,250'],
])('%s filled in as a whole is %s', async (filled, amount) => {
  render(<Form initial="$4" />)
  fireEvent.focus(field())
  fireEvent.change(field(), { target: { value: filled } })
  fireEvent.blur(field())
  expect([field().value, held()]).toEqual([amount, amount])
})

test('a comma begins the cents', async () => {
  const user = userEvent.setup()
  render(<Form initial="" />)
  await user.type(field(), '12,50')
  await user.tab()
  expect([field().value, held()]).toEqual(['$12.50', '$12.50'])
})

/** The digits of what is shown or held, in their order. */
const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

test('a key in the midst of an amount changes what it says it changes: the amount that is shown is the one that is held', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9_999_999 }),
      fc.nat(),
      fc.constantFrom('{Backspace}', '{Delete}', '7', ',', '.'),
      async (cents, place, key) => {
        cleanup()
        const user = userEvent.setup()
        render(<Form initial={formatMoney(cents)} />)
        await user.tab()
        const before = field().value
        const at = 1 + (place % before.length)
        field().setSelectionRange(at, at)
        await user.keyboard(key)
        const [after, now] = [field().value, held() ?? '']
        // Shown and held are one amount, or what is shown is refused.
        // `$.10` is ten cents.
        expect(parseMoney(now)).toBe(parseMoney(after.replace('$.', '$0.')))
        const most = digitsOf(before).length
        if (key === '7') expect(digitsOf(after)).toHaveLength(most + 1)
        else expect(most - digitsOf(after).length).toBeLessThanOrEqual(1)
        await user.tab()
        expect(parseMoney(held() ?? '')).toBe(parseMoney(now))
        cleanup()
      },
    ),
    { numRuns: 60 },
  )
})

test('an amount as Americans write it is never another one once it was typed key by key', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 999_999_999 }), fc.boolean(), async (cents, isLong) => {
      const user = userEvent.setup()
      const typed = (isLong ? formatCents(cents) : formatMoney(cents)).slice(1)
      render(<Form initial="$4" />)
      await user.tab()
      await user.keyboard(typed)
      await user.tab()
      expect([cents, null]).toContain(parseMoney(held() ?? ''))
      if (!typed.includes(',')) expect(parseMoney(held() ?? '')).toBe(cents)
      cleanup()
    }),
    { numRuns: 60 },
  )
})
