import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { formatMoney, parseMoney, split } from '../../../../contract/money.ts'
import { LONGER_TERMS, monthOfTermCents, termCents } from '../../../../contract/subscriptions.ts'
import { useConfig } from '../../../lib/config.ts'
import { TextField } from '../../../ui/fields/Field.tsx'
import { formatCount, withCents } from '../../../ui/format.ts'
import { shareTexts } from '../../media/parts/price/texts.ts'
import styles from './TermsField.module.css'
import { termTexts as texts } from './texts.ts'

type Months = (typeof LONGER_TERMS)[number]
/** A term on sale; a discount that can't be read is NaN, which the contract refuses. */
export type Term = { months: Months; discountPercent: number }

/** The default discount of a term. */
const USUAL: Record<Months, number> = { 3: 10, 6: 15, 12: 20 }

type TermsFieldProps = {
  terms: readonly Term[]
  /** Money text of one month. */
  monthly: string
  onChange: (terms: Term[]) => void
  errorAt: (path: string) => string | undefined
}

/** For how many months a subscription is also sold, what that takes off, and what is left of it for its creator. */
export function TermsField({ terms, monthly, onChange, errorAt }: TermsFieldProps) {
  const change = (months: Months, discountPercent: number | null) =>
    onChange(
      LONGER_TERMS.flatMap((each) => {
        if (each !== months) return terms.filter((term) => term.months === each)
        return discountPercent === null ? [] : { months, discountPercent }
      }),
    )
  return (
    <fieldset className={styles.field}>
      <legend className={styles.legend}>{texts.label}</legend>
      <p className={styles.hint}>{texts.hint}</p>
      {LONGER_TERMS.map((months) => {
        const index = terms.findIndex((term) => term.months === months)
        const discount = terms[index]?.discountPercent ?? null
        const length = formatCount(months, 'month')
        return (
          <div key={months} className={styles.term}>
            <Switch
              label={length}
              checked={discount !== null}
              onChange={(event) => change(months, event.currentTarget.checked ? USUAL[months] : null)}
            />
            {discount !== null && (
              <>
                <TextField
                  label={texts.discount(length)}
                  inputMode="numeric"
                  value={Number.isNaN(discount) ? '' : String(discount)}
                  onChange={(text) => change(months, text.trim() === '' ? Number.NaN : Number(text))}
                  error={errorAt(`terms.${index}.discountPercent`)}
                />
                <Outcome monthly={monthly} months={months} discount={discount} />
              </>
            )}
          </div>
        )
      })}
      {errorAt('terms') && <p className={styles.error}>{errorAt('terms')}</p>}
    </fieldset>
  )
}

const amount = (cents: number) => withCents(formatMoney(cents))

/** The fans' price, and the creator's part of it. */
function Outcome({ monthly, months, discount }: { monthly: string; months: Months; discount: number }) {
  const feePercent = useConfig()?.payments.feePercent
  const cents = termCents(parseMoney(monthly) ?? 0, months, discount)
  if (!(cents > 0)) return null
  const pay = texts.pay(amount(cents), amount(monthOfTermCents(cents, months)))
  return (
    <p className={styles.hint}>
      {feePercent === undefined
        ? pay
        : `${pay} ${shareTexts.get({ share: amount(split(cents, feePercent).shareCents), feePercent })}`}
    </p>
  )
}
