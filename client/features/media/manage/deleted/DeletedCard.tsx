import { IconGif, IconRestore } from '@tabler/icons-react'
import { Button } from '../../../../ui/core/Button.tsx'
import { formatDate } from '../../../../ui/format.ts'
import { Tag } from '../../../../ui/Tag.tsx'
import { MediaTile } from '../../parts/tile/MediaTile.tsx'
import type { DeletedMedia } from '../api.ts'
import cardStyles from '../ManageCard.module.css'
import { SelectBox } from '../SelectBox.tsx'
import { texts } from '../texts.ts'
import { nameOf } from '../words.ts'
import styles from './DeletedCard.module.css'

/** When it becomes pressing, in days. */
const SOON = 3

type DeletedCardProps = {
  media: DeletedMedia
  /** While items are being selected: whether this one is; null at other times. */
  selected: boolean | null
  /** `range`: with everything between it and the one before. */
  onSelect: (range: boolean) => void
  /** It is being brought back. */
  busy: boolean
  onRestore: () => void
}

/** A deleted item, blurred as its files are out of reach, with the days that are left and the way back. */
export function DeletedCard({ media, selected, onSelect, busy, onRestore }: DeletedCardProps) {
  const name = nameOf(media)
  const selecting = selected !== null
  return (
    <article className={cardStyles.card} data-selecting={selecting || undefined}>
      <div className={cardStyles.picture} data-selected={selected || undefined}>
        <MediaTile media={{ ...media, picture: null, price: '', locked: false }} ratio={1} />
        {media.redGif !== '' && (
          <span className={cardStyles.gif} aria-hidden>
            <IconGif size={40} stroke={1.25} />
          </span>
        )}
        {selecting && <SelectBox name={name} selected={selected} onSelect={onSelect} />}
      </div>
      <div className={styles.words}>
        <p className={cardStyles.title} data-untitled={media.title === '' || undefined}>
          <span className={cardStyles.link}>{name}</span>
        </p>
        <p className={cardStyles.state}>
          <Tag tone={media.daysLeft <= SOON ? 'warning' : 'neutral'}>{texts.daysLeft(media.daysLeft)}</Tag>
          <span className={cardStyles.tags}>{texts.deletedOn(formatDate(media.deletedAt))}</span>
        </p>
        {!selecting && (
          <Button
            className={styles.restore ?? ''}
            variant="default"
            leftSection={<IconRestore size={18} stroke={1.75} aria-hidden />}
            loading={busy}
            onClick={onRestore}
            aria-label={texts.restoreItem(name)}
          >
            {texts.restore}
          </Button>
        )}
      </div>
    </article>
  )
}
