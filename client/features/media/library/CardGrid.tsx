import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { stateTexts } from '../../../ui/texts.ts'
import type { FeedMedia } from '../api.ts'
import styles from './CardGrid.module.css'
import { MediaCard } from './MediaCard.tsx'

type CardGridProps<Item> = {
  label: string
  items: readonly Item[]
  /** Opens an item in the viewer. */
  open: (media: FeedMedia) => void
  /** How many of the first pictures are loaded at once. */
  eager: number
  /** In place of the creator's name. */
  note?: (media: Item) => ReactNode
}

/** Items with words under their pictures, in 2 columns, 3 on large screens. An external gif plays on its own page. */
export function CardGrid<Item extends FeedMedia>({ label, items, open, eager, note }: CardGridProps<Item>) {
  const navigate = useNavigate()
  return (
    <section className={styles.grid} aria-label={label}>
      {items.map((media, index) => (
        <MediaCard
          key={media._id}
          media={media}
          onOpen={media.redGif ? () => void navigate(paths.media(media._id)) : open}
          eager={index < eager}
          note={note?.(media)}
        />
      ))}
    </section>
  )
}

/** The grid while its first page loads. */
export function CardGridSkeleton() {
  return (
    <output className={styles.grid} aria-label={stateTexts.loading}>
      {[0, 1, 2, 3, 4, 5].map((card) => (
        <span key={card} className={styles.waiting}>
          <span className={styles.picture} />
          <Skeleton width="70%" />
        </span>
      ))}
    </output>
  )
}
