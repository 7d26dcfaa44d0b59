import '@mantine/core/styles/NumberInput.css'
import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { DEFAULT_PRICE } from '../../contract/constants.ts'
import { amountOf, mayType, moneyOf } from './money-mask.ts'

type MoneyInputProps = {
  label: string
  description?: string
  error?: string | undefined
  required?: boolean
  disabled?: boolean
  /** Money text of the wire; what the field starts with. */
  defaultValue?: string
  /** Called with money text of the wire, or with empty text while nothing usable is typed. */
  onChange: (money: string) => void
}

/** An amount of money: prefix `$`, thousands commas, 2 decimals, 7 integer digits, no negatives (core §9). */
export function MoneyInput({ defaultValue = DEFAULT_PRICE, onChange, ...field }: MoneyInputProps) {
  const [typed, setTyped] = useState<string | number>(() => amountOf(defaultValue))
  return (
    <NumberInput
      {...field}
      withAsterisk={false}
      value={typed}
      onChange={(next) => {
        setTyped(next)
        onChange(moneyOf(next))
      }}
      // `$4.5` becomes `$4.50` once it is left.
      onBlur={() => setTyped(amountOf(moneyOf(typed)) || typed)}
      prefix="$"
      thousandSeparator=","
      decimalScale={2}
      allowNegative={false}
      isAllowed={({ value }) => mayType(value)}
      inputMode="decimal"
      autoComplete="off"
      hideControls
    />
  )
}
