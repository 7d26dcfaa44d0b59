import { Button } from '../../../ui/core/Button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { formatCountry } from '../../../ui/format-occasional.ts'
import type { BankDetails } from './api.ts'
import styles from './payouts.module.css'
import { bankTexts as texts } from './texts.ts'

/** Where payouts go, masked, and the way to change it. */
export function BankAccount({ details, onEdit }: { details: BankDetails | null; onEdit: () => void }) {
  return (
    <div className={styles.bank}>
      <div>
        <p className={styles.name}>{texts.account}</p>
        <p className={styles.note}>
          {details ? texts.masked(details.lastFour, formatCountry(details.country)) : texts.none}
        </p>
        {details?.heldUntil && <p className={styles.note}>{texts.held(formatDate(details.heldUntil))}</p>}
      </div>
      <Button size="sm" variant="default" onClick={onEdit}>
        {details ? texts.change : texts.add}
      </Button>
    </div>
  )
}
