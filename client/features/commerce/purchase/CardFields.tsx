import { TextInput } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { FieldPair } from '../../../ui/Form.tsx'
import {
  ACCEPTED_BRANDS,
  brandOf,
  type Card,
  type CardErrors,
  caretAfter,
  formatExpiry,
  formatNumber,
} from './card.ts'

type CardFieldsProps = { card: Card; errors: CardErrors; disabled: boolean; onChange: (card: Card) => void }

/** Number, expiry and security code of a card, as wallets and browsers know how to fill them. */
export function CardFields({ card, errors, disabled, onChange }: CardFieldsProps) {
  const number = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)
  const type = ({ value, selectionStart }: HTMLInputElement) => {
    const formatted = formatNumber(value)
    caret.current = caretAfter(value, selectionStart ?? value.length, formatted)
    onChange({ ...card, number: formatted })
  }
  // The text that is drawn is another one than was typed, for which the browser puts the caret to the end.
  useLayoutEffect(() => {
    if (caret.current !== null) number.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  return (
    <>
      <TextInput
        label="Card number"
        description={ACCEPTED_BRANDS.join(', ')}
        value={card.number}
        ref={number}
        onChange={(event) => type(event.currentTarget)}
        error={errors.number ?? null}
        disabled={disabled}
        inputMode="numeric"
        autoComplete="cc-number"
        placeholder="1234 5678 9012 3456"
        rightSection={<span>{brandOf(card.number)}</span>}
        rightSectionWidth="6.5rem"
        data-autofocus
      />
      <FieldPair>
        <TextInput
          label="Expiry"
          value={card.expiry}
          onChange={(event) =>
            onChange({ ...card, expiry: formatExpiry(event.currentTarget.value, card.expiry) })
          }
          error={errors.expiry ?? null}
          disabled={disabled}
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder="MM/YY"
        />
        <TextInput
          label="Security code"
          value={card.code}
          onChange={(event) =>
            onChange({ ...card, code: event.currentTarget.value.replace(/\D/g, '').slice(0, 4) })
          }
          error={errors.code ?? null}
          disabled={disabled}
          inputMode="numeric"
          autoComplete="cc-csc"
          placeholder="123"
        />
      </FieldPair>
    </>
  )
}
