import '@mantine/core/styles/NumberInput.layer.css'
import { NumberInput, type NumberInputProps } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { amountOf, isTooPrecise, mayType, moneyOf, pastedAmount, shownAmount } from '../money-mask.ts'
import { moneyTexts as texts } from './texts.ts'

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
 * further decimals stay, for the form to refuse: without them another amount would be sent than was typed. A comma that is
 * typed begins the cents, so that `1,000` has three of them.
 */
export function MoneyInput({ value, onChange, descriptionBelow, error, ...field }: MoneyInputProps) {
  const [typed, setTyped] = useState<string | number>(() => amountOf(value))
  const entered = useRef(false)
  const change = (next: string | number) => {
    setTyped(next)
    onChange(moneyOf(next))
  }
  /** Takes a text as a whole, such as one that is filled in; the field of the library would take its comma away. */
  const takeWhole = (event: FormEvent<HTMLElement>) => {
    const { inputType = '' } = event.nativeEvent as InputEvent
    const whole = event.target instanceof HTMLInputElement ? pastedAmount(event.target.value) : null
    // What is deleted from `$1,250` leaves `$1,25`.
    if (whole === null || (inputType !== '' && inputType !== 'insertReplacementText')) return
    event.stopPropagation()
    change(whole)
  }
  return (
    <NumberInput
      {...field}
      error={isTooPrecise(value) ? texts.tooPrecise : error}
      withAsterisk={false}
      {...(descriptionBelow ? { inputWrapperOrder: ORDER_BELOW } : {})}
      value={shownAmount(typed, value)}
      onChange={change}
      wrapperProps={{ onChangeCapture: takeWhole }}
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
      // The field of the library would make 1 of `1.000` then.
      clampBehavior="none"
      trimLeadingZeroesOnBlur={false}
      prefix="$"
      thousandSeparator=","
      isAllowed={({ value: next }) => mayType(next)}
      inputMode="decimal"
      autoComplete="off"
      hideControls
    />
  )
}
