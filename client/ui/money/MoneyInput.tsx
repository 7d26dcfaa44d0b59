import '@mantine/core/styles/NumberInput.layer.css'
import { NumberInput, type NumberInputProps } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { NO_MONEY } from '../../../contract/money.ts'
import { amountOf, isTooPrecise, mayType, moneyOf, pastedAmount, shownAmount } from '../money-mask.ts'

type MoneyInputProps = {
  label: string
  description?: ReactNode
  /** It follows from what is typed. */
  descriptionBelow?: boolean
  error?: string | undefined
  required?: boolean
  disabled?: boolean
  /** Money text of the wire, or empty text while nothing usable is typed; or a negative amount or parts of a cent, which no call accepts. */
  value: string
  onChange: (money: string) => void
}

const ORDER_BELOW = ['label', 'input', 'error', 'description'] satisfies NumberInputProps['inputWrapperOrder']

/**
 * An amount of money: prefix `$`, thousands commas, 2 decimals, 7 integer digits (docs/product.md, Limits). A minus and
 * further decimals stay, for the form to refuse: without them another amount would be sent than was typed.
 */
export function MoneyInput({ value, onChange, descriptionBelow, error, ...field }: MoneyInputProps) {
  const [typed, setTyped] = useState<string | number>(() => amountOf(value))
  const entered = useRef(false)
  const change = (next: string | number) => {
    setTyped(next)
    onChange(moneyOf(next))
  }
  return (
    <NumberInput
      {...field}
      error={isTooPrecise(value) ? NO_MONEY : error}
      withAsterisk={false}
      {...(descriptionBelow ? { inputWrapperOrder: ORDER_BELOW } : {})}
      value={shownAmount(typed, value)}
      onChange={change}
      // Without its comma it would be a hundred times as much.
      onPaste={(event) => {
        const pasted = pastedAmount(event.clipboardData.getData('text'))
        if (pasted === null) return
        event.preventDefault()
        change(pasted)
      }}
      // What is typed replaces the amount that is there; after a click the field of the library places the caret first.
      onFocus={({ currentTarget }) => {
        entered.current = true
        currentTarget.select()
      }}
      onClick={({ currentTarget: input }) => {
        if (entered.current) setTimeout(() => input.select())
        entered.current = false
      }}
      // `$4.5` becomes `$4.50` once it is left.
      onBlur={() => setTyped(amountOf(value) || typed)}
      prefix="$"
      thousandSeparator=","
      isAllowed={({ value: next }) => mayType(next)}
      inputMode="decimal"
      autoComplete="off"
      hideControls
    />
  )
}
