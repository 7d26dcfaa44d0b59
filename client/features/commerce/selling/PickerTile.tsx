import { IconGif } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { pictureOf, sourcesOf } from '../../../../contract/media-links.ts'
import { type Media, renewMedia } from '../../media/api.ts'
import { MediaTile } from '../../media/parts/tile/MediaTile.tsx'
import styles from './MediaPicker.module.css'
import { pickerTexts } from './texts.ts'

type PickerTileProps = {
  media: Media
  /** Its place among the chosen, from 1; null when it is not chosen. */
  place: number | null
  onToggle: (mediaId: string, range: boolean) => void
}

/** One item to choose; what is chosen shows its place in the order. */
export const PickerTile = memo(function PickerTile({ media: given, place, onToggle }: PickerTileProps) {
  const client = useQueryClient()
  const [renewed, setRenewed] = useState<Media | null>(null)
  // Links live 300 s; one that failed is requested again, once.
  const renew = () => {
    if (!renewed) renewMedia(client, given).then(setRenewed, () => {})
  }
  const media = renewed ?? given
  const chosen = place !== null
  const what = given.title || (given.type === 'video' ? pickerTexts.video : pickerTexts.photo)
  return (
    <div className={styles.choice} data-chosen={chosen || undefined} onErrorCapture={renew}>
      <MediaTile
        key={renewed ? 'renewed' : 'given'}
        ratio={1}
        sizes="(min-width: 62em) 18rem, 50vw"
        media={{ ...media, picture: pictureOf(media), sources: sourcesOf(media), locked: false }}
        corner={
          <span className={styles.mark} aria-hidden>
            {place}
          </span>
        }
      />
      {given.redGif !== '' && !given.poster && (
        <span className={styles.gif} aria-hidden>
          <IconGif size={40} stroke={1.25} />
        </span>
      )}
      <input
        type="checkbox"
        className={styles.box}
        checked={chosen}
        // A click by the keyboard has the shift key as well.
        onClick={(event) => onToggle(given._id, event.shiftKey)}
        readOnly
        aria-label={what}
      />
      <p className={styles.name} data-untitled={given.title === '' || undefined} aria-hidden>
        {given.title || pickerTexts.untitled}
      </p>
    </div>
  )
})
