import { IconHeart } from '@tabler/icons-react'
import { useWish } from '../lib/wish.ts'
import styles from './WishCard.module.css'
import { wishCardTexts } from './wish-card-texts.ts'

/** Says what happens next after signing up, logging in, or verifying an email; nothing without a kept purchase. */
export function WishCard() {
  const wish = useWish()
  if (!wish) return null
  return (
    <aside className={styles.card} aria-label={wishCardTexts.label}>
      <IconHeart size={20} stroke={1.75} aria-hidden className={styles.icon} />
      <p>
        <strong>{wish.label}</strong>
        <span className={styles.next}>{wishCardTexts.next}</span>
      </p>
    </aside>
  )
}
