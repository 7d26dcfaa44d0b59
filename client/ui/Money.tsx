import styles from './Money.module.css'

type MoneyProps = {
  /** Money text of the wire, such as `$4.50`. */
  value: string
  /** `earned` for what was bought or earned; `display` for a price that stands alone. */
  look?: 'plain' | 'earned' | 'display'
}

/** An amount with figures of one width, so that columns line up. */
export function Money({ value, look = 'plain' }: MoneyProps) {
  return (
    <span className={styles.money} data-look={look}>
      {value}
    </span>
  )
}
