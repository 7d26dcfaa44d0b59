import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { Button } from '../../../ui/core/Button.tsx'
import { WallTile } from '../../media/parts/wall/WallTile.tsx'
import type { Message } from '../cache/timeline.ts'
import { messageTexts as texts } from '../texts.ts'
import styles from './MessageRow.module.css'

/** A single picture keeps its proportions within these. */
const [NARROWEST, WIDEST] = [3 / 4, 16 / 9]

/** Three stand in one row, so that none is left alone. */
const columnsFor = (count: number) => (count % 3 === 0 ? 3 : Math.min(count, 2))

type MessageAttachmentsProps = {
  message: Message
  mine: boolean
  onOpen: (mediaId: string) => void
  /** Null where nothing of the other person’s can be bought. */
  onUnlock: (() => void) | null
}

/**
 * The photos and videos of a message: one as it is, several in pairs; locked ones as a blur, with the price of all below
 * where they can be bought.
 */
export function MessageAttachments({ message, mine, onOpen, onUnlock }: MessageAttachmentsProps) {
  const { attachments, price, purchased } = message
  const [only] = attachments
  // A message is sold whole or not at all: not once something of it was taken down, or everyone sees it for free.
  const isOff = attachments.some(({ media }) => media.takenDown || media.free)
  const unlock = price !== null && !mine && !purchased && !isOff ? onUnlock : null
  const someLocked = attachments.some(({ media }) => media.locked)
  const columns = columnsFor(attachments.length)
  const Lock = purchased ? IconLockOpen : IconLock
  const ratio =
    attachments.length === 1 && only && only.media.height > 0
      ? Math.min(WIDEST, Math.max(NARROWEST, only.media.width / only.media.height))
      : 1
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no grid in every browser. */}
      <div role="group" aria-label={texts.media} className={styles.media} data-columns={columns}>
        {attachments.map(({ media }, at) => (
          <WallTile
            key={media._id}
            // In a message an item's own price doesn't apply, and that of all stands below them.
            media={media.locked ? { ...media, price: '' } : media}
            {...(!media.locked ? { onOpen: () => onOpen(media._id) } : unlock ? { onOpen: unlock } : {})}
            // The last of an odd number in pairs has a line to itself.
            ratio={columns === 2 && at % 2 === 0 && at === attachments.length - 1 ? 2 * ratio : ratio}
            sizes="(min-width: 62em) 20rem, 70vw"
          />
        ))}
      </div>
      {someLocked && unlock && price !== null && (
        <Button
          size="sm"
          fullWidth
          className={styles.unlock}
          leftSection={<IconLock size={16} aria-hidden />}
          onClick={unlock}
        >
          {texts.unlock(price)}
        </Button>
      )}
      {someLocked && !unlock && <p className={styles.price}>{texts.unavailable}</p>}
      {price && (mine || purchased) && (
        <p className={styles.price}>
          <Lock size={16} stroke={1.75} aria-hidden />
          {purchased && !mine ? texts.bought(price) : purchased ? texts.sold(price) : texts.lockedFor(price)}
        </p>
      )}
    </>
  )
}
