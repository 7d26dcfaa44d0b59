import { IconCheck } from '@tabler/icons-react'
import { pictureOf, sourcesOf } from '../../../../../contract/media-links.ts'
import { useCurrentUser } from '../../../../lib/session.tsx'
import { Button } from '../../../../ui/core/Button.tsx'
import { FieldGroup } from '../../../../ui/FieldGroup.tsx'
import { focusSubmit } from '../../../../ui/forms/ContractForm.tsx'
import { GrowingList } from '../../../../ui/list/GrowingList.tsx'
import { useList } from '../../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../../ui/Skeleton.tsx'
import { type FeedMedia, purchasableMediaQuery } from '../../../media/api.ts'
import { MediaTile } from '../../../media/parts/tile/MediaTile.tsx'
import { useRenewed } from '../../../media/parts/use-renewed.ts'
import { singleTexts } from '../../parts/texts.ts'
import { formTexts as texts } from '../texts.ts'
import styles from './OfferForm.module.css'

type SinglesPickerProps = {
  value: string[]
  onChange: (mediaIds: string[]) => void
  error: string | undefined
  /** The chosen ones that turned out not to be for sale anymore. */
  gone: readonly string[]
}

/** Some of the creator's own singles. */
export function SinglesPicker({ value, onChange, error, gone }: SinglesPickerProps) {
  const { _id } = useCurrentUser()
  const list = useList(purchasableMediaQuery(_id))
  const toggle = (id: string) =>
    onChange(value.includes(id) ? value.filter((other) => other !== id) : [...value, id])
  return (
    <>
      <FieldGroup legend={texts.media} error={gone.length > 0 ? texts.gone(gone.length) : error}>
        <GrowingList
          list={list}
          byButton
          waiting={<SkeletonLines lines={2} />}
          empty={<p className={styles.hint}>{texts.noMedia}</p>}
        >
          <ul className={styles.singles}>
            {list.items.map((media) => (
              <Single
                key={media._id}
                media={media}
                chosen={value.includes(media._id)}
                onToggle={() => toggle(media._id)}
              />
            ))}
          </ul>
        </GrowingList>
      </FieldGroup>
      {/* Below the error, which says what it is for. */}
      {gone.length > 0 && (
        <Button
          size="sm"
          variant="default"
          onClick={({ currentTarget }) => {
            onChange(value.filter((id) => !gone.includes(id)))
            // It goes with what it removes; sending is next.
            focusSubmit(currentTarget.form)
          }}
        >
          {texts.removeGone(gone.length)}
        </Button>
      )}
    </>
  )
}

type SingleProps = { media: FeedMedia; chosen: boolean; onToggle: () => void }

function Single({ media: given, chosen, onToggle }: SingleProps) {
  const { media, version, renew, worked } = useRenewed(given)
  const { title, type, preview, price, widths } = media
  const files = { type, widths, url: media.url ?? null, poster: media.poster ?? null }
  return (
    <li
      className={styles.single}
      data-chosen={chosen || undefined}
      onErrorCapture={renew}
      onLoadCapture={worked}
    >
      <MediaTile
        version={version}
        ratio={1}
        sizes="8rem"
        {...(chosen
          ? { corner: <IconCheck className={styles.mark} size={24} stroke={3} aria-hidden /> }
          : {})}
        media={{
          type,
          title,
          preview,
          locked: false,
          picture: pictureOf(files),
          sources: sourcesOf(files),
          ...(price ? { price } : {}),
        }}
      />
      <input
        type="checkbox"
        checked={chosen}
        onChange={onToggle}
        aria-label={title || (type === 'video' ? singleTexts.video : singleTexts.photo)}
      />
    </li>
  )
}
