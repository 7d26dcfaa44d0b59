import type { ComponentProps } from 'react'
import { formatMoney, parseMoney, split } from '../../../../../contract/money.ts'
import { useConfig } from '../../../../lib/config.ts'
import { MoneyInput } from '../../../../ui/money/MoneyInput.tsx'
import styles from './PriceField.module.css'
import { shareTexts } from './texts.ts'

type PriceFieldProps = ComponentProps<typeof MoneyInput> & { per?: 'month' }

/** A price of something that is sold, and what is left of it for who sells it. */
export function PriceField({ per, ...field }: PriceFieldProps) {
  const feePercent = useConfig()?.payments.feePercent
  const cents = parseMoney(field.value)
  return (
    <div>
      <MoneyInput {...field} />
      {feePercent !== undefined && cents !== null && cents > 0 && (
        <p className={styles.share}>
          {shareTexts.get({ share: formatMoney(split(cents, feePercent).shareCents), per, feePercent })}
        </p>
      )}
    </div>
  )
}
