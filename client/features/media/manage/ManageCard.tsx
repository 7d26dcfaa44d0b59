import { ActionIcon } from '@mantine/core'
import { IconGif, IconPencil, IconTrash } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { parseMoney } from '../../../../contract/money.ts'
import { paths } from '../../../lib/paths.ts'
import { formatCount } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { WallTile } from '../parts/wall/WallTile.tsx'
import type { LibraryMedia } from './api.ts'
import styles from './ManageCard.module.css'
import { SelectBox } from './SelectBox.tsx'
import { texts } from './texts.ts'
import type { LibraryView } from './view.ts'
import { chipsOf, nameOf } from './words.ts'

type ManageCardProps = {
  media: LibraryMedia
  view: LibraryView
  eager: boolean
  /** Shows the way to the edit form. */
  editable: boolean
  /** While items are being selected: whether this one is; null at other times. */
  selected: boolean | null
  /** `range`: with everything between it and the one before. */
  onSelect: (media: LibraryMedia, range: boolean) => void
  onOpen: (media: LibraryMedia) => void
  onDelete: (media: LibraryMedia) => void
  /** The handle that moves it in the order. */
  handle?: ReactNode
}

/** Everybody who may see it sees it for nothing, whatever price it has. */
const isFree = ({ mustUnlock, showInStore, directOnly }: LibraryMedia) =>
  !mustUnlock && !showInStore && !directOnly

/** An item of the own library with how it stands, and what can be done with it. */
export const ManageCard = memo(function ManageCard({
  media,
  view,
  eager,
  editable,
  selected,
  onSelect,
  onOpen,
  onDelete,
  handle,
}: ManageCardProps) {
  const name = nameOf(media)
  const selecting = selected !== null
  return (
    <article className={styles.card} data-view={view} data-selecting={selecting || undefined}>
      <div className={styles.picture} data-selected={selected || undefined}>
        <div inert={selecting}>
          <WallTile
            media={media}
            onOpen={() => onOpen(media)}
            ratio={view === 'list' ? 1 : 4 / 5}
            eager={eager}
            sizes={view === 'list' ? '4rem' : '(min-width: 48em) 14rem, 50vw'}
          />
        </div>
        {media.redGif !== '' && !media.poster && (
          <span className={styles.gif} aria-hidden>
            <IconGif size={40} stroke={1.25} />
          </span>
        )}
        {selecting ? (
          <SelectBox name={name} selected={selected} onSelect={(range) => onSelect(media, range)} />
        ) : (
          handle
        )}
      </div>
      <div className={styles.words}>
        <p className={styles.title} data-untitled={media.title === '' || undefined}>
          {editable && !selecting ? (
            <Link className={styles.link} to={paths.editMedia(media._id)}>
              {name}
            </Link>
          ) : (
            <span className={styles.link}>{name}</span>
          )}
        </p>
        {media.fileName !== null && (
          <p className={styles.file} title={media.fileName}>
            {media.fileName}
          </p>
        )}
        <div className={styles.state}>
          {chipsOf(media).map((chip) => (
            <Tag key={chip}>{chip}</Tag>
          ))}
          {!isFree(media) && parseMoney(media.price) !== 0 && (
            <span
              className={styles.price}
              data-quiet={!media.showInStore || undefined}
              title={media.showInStore ? undefined : texts.notOnSale}
            >
              <Money value={media.price} />
            </span>
          )}
          {media.tagIds.length > 0 && (
            <span className={styles.tags}>{formatCount(media.tagIds.length, 'tag')}</span>
          )}
        </div>
        {!selecting && (
          <div className={styles.actions}>
            {editable && (
              <ActionIcon
                component={Link}
                to={paths.editMedia(media._id)}
                variant="subtle"
                color="gray"
                size={44}
                aria-label={texts.editItem(name)}
              >
                <IconPencil size={20} stroke={1.75} aria-hidden />
              </ActionIcon>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={44}
              onClick={() => onDelete(media)}
              aria-label={texts.deleteItem(name)}
            >
              <IconTrash size={20} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
        )}
      </div>
    </article>
  )
})
