import { withCents } from './format.ts'
import { Hidden } from './Hidden.tsx'
import styles from './Money.module.css'
import { priceTexts } from './texts.ts'

type MoneyProps = {
  /** Money text of the wire, such as `$4.50`. */
  value: string
  /** `earned` for what was bought or earned; `display` for a price that stands alone. */
  look?: 'plain' | 'earned' | 'display'
  /** Always with its cents, for an amount that stands below or beside others: `$4.00`. */
  cents?: boolean
}

/** An amount with a real minus sign and figures of one width, so that columns line up. */
export function Money({ value, look = 'plain', cents = false }: MoneyProps) {
  return (
    <span className={styles.money} data-look={look}>
      {(cents ? withCents(value) : value).replace('-', '−')}
    </span>
  )
}

/** A price, and before it the one that it is lower than, struck through. Both are money text. */
export function Price({ value, instead, look = 'display' }: MoneyProps & { instead?: string | undefined }) {
  return (
    <>
      {instead !== undefined && (
        <s className={styles.instead}>
          <Hidden>{priceTexts.full} </Hidden>
          <Money value={instead} />
        </s>
      )}
      <Money value={value} look={look} />
    </>
  )
}
