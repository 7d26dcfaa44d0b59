import { useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { FeedMedia } from '../../media/api.ts'
import { OfferPicture } from '../parts/offers/OfferPicture.tsx'
import styles from './CoverField.module.css'
import { MediaPicker } from './MediaPicker.tsx'
import { type Kind, coverTexts as texts } from './texts.ts'

type CoverFieldProps = {
  kind: Kind
  creatorId: string
  /** The item, while it is a cover; null for none. */
  cover: FeedMedia | null
  onChange: (cover: FeedMedia | null) => void
  error: string | undefined
}

/** The cover of something that is sold: one item of the library, or none. */
export function CoverField({ kind, creatorId, cover, onChange, error }: CoverFieldProps) {
  const [choosing, setChoosing] = useState(false)
  const choose = (chosen: FeedMedia | null) => {
    onChange(chosen)
    setChoosing(false)
  }
  return (
    <div>
      <p className={styles.label}>{texts.label}</p>
      <p className={styles.hint}>{texts.hint}</p>
      <div className={styles.line}>
        {cover && (
          <div className={styles.picture}>
            <OfferPicture media={cover} />
          </div>
        )}
        <Button variant="default" onClick={() => setChoosing(true)}>
          {cover ? texts.change : texts.choose}
        </Button>
        {cover && (
          <Button variant="default" onClick={() => onChange(null)}>
            {texts.remove}
          </Button>
        )}
      </div>
      {error && <p className={styles.error}>{error}</p>}
      <Dialog opened={choosing} onClose={() => setChoosing(false)} title={texts.choose}>
        {choosing && (
          <MediaPicker
            kind={kind}
            creatorId={creatorId}
            selected={cover ? [cover._id] : []}
            title={texts.library}
            onTurn={({ items, on }) => choose(on ? (items.at(-1) ?? null) : null)}
          />
        )}
      </Dialog>
    </div>
  )
}
