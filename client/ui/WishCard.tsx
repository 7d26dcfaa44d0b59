import { IconHeart } from '@tabler/icons-react'
import { useWish } from '../lib/wish.ts'
import styles from './WishCard.module.css'

/** Says what goes on by itself once one is signed up, logged in or confirmed; nothing without such a thing. */
export function WishCard() {
  const wish = useWish()
  if (!wish) return null
  return (
    <aside className={styles.card} aria-label="What’s next">
      <IconHeart size={20} stroke={1.75} aria-hidden className={styles.icon} />
      <p>
        <strong>{wish.label}</strong>
        <span className={styles.next}>You’ll go straight back to it.</span>
      </p>
    </aside>
  )
}
