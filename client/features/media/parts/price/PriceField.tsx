import type { ComponentProps } from 'react'
import { formatMoney, parseMoney, split } from '../../../../../contract/money.ts'
import { useConfig } from '../../../../lib/config.ts'
import { withCents } from '../../../../ui/format.ts'
import { MoneyInput } from '../../../../ui/money/MoneyInput.tsx'
import styles from './PriceField.module.css'
import { shareTexts } from './texts.ts'

type PriceFieldProps = ComponentProps<typeof MoneyInput> & {
  per?: 'month'
  /** Nothing is sold for it as things stand. */
  unused?: boolean
}

/** A price of something that is sold, and what is left of it for who sells it. */
export function PriceField({ per, unused = false, description, ...field }: PriceFieldProps) {
  const feePercent = useConfig()?.payments.feePercent
  const cents = parseMoney(field.value)
  return (
    <MoneyInput
      {...field}
      descriptionBelow
      description={
        <>
          {description && <span className={styles.hint}>{description}</span>}
          <span className={styles.share} aria-live="polite">
            {!unused &&
              feePercent !== undefined &&
              cents !== null &&
              cents > 0 &&
              shareTexts.get({
                share: withCents(formatMoney(split(cents, feePercent).shareCents)),
                per,
                feePercent,
              })}
          </span>
        </>
      }
    />
  )
}
