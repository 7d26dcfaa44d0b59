import styles from './Skeleton.module.css'
import { stateTexts } from './texts.ts'

/** A quiet block that holds the place of what is loading. Sizes are CSS lengths. */
export function Skeleton({ width = '100%', height = '1rem' }: { width?: string; height?: string }) {
  return <span className={styles.block} style={{ width, height }} aria-hidden />
}

/** Lines of text that are loading. */
export function SkeletonLines({ lines = 3 }: { lines?: number }) {
  return (
    <output className={styles.lines} aria-label={stateTexts.loading}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same and never move.
        <Skeleton key={line} width={line === lines - 1 ? '60%' : '100%'} />
      ))}
    </output>
  )
}
