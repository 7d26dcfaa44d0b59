import { ActionIcon } from '@mantine/core'
import { IconGif, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { formatCount } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import type { Media } from '../api.ts'
import { WallTile } from '../parts/WallTile.tsx'
import styles from './ManageCard.module.css'
import { SelectBox } from './SelectBox.tsx'
import { chipsOf, nameOf } from './words.ts'

type ManageCardProps = {
  media: Media
  eager: boolean
  /** Shows the way to the edit form. */
  editable: boolean
  /** While items are being selected: whether this one is; null at other times. */
  selected: boolean | null
  /** `range`: with everything between it and the one before. */
  onSelect: (range: boolean) => void
  onOpen: () => void
  onDelete: () => void
  /** By which it is moved in the order. */
  handle?: ReactNode
}

/** An item of the own library with how it stands, and what can be done with it. */
export function ManageCard({
  media,
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
    <article className={styles.card} data-selecting={selecting || undefined}>
      <div className={styles.picture} data-selected={selected || undefined}>
        <div inert={selecting}>
          <WallTile
            media={media}
            onOpen={onOpen}
            ratio={4 / 5}
            eager={eager}
            sizes="(min-width: 62em) 24rem, 50vw"
          />
        </div>
        {media.redGif !== '' && !media.poster && (
          <span className={styles.gif} aria-hidden>
            <IconGif size={40} stroke={1.25} />
          </span>
        )}
        {selecting ? <SelectBox name={name} selected={selected} onSelect={onSelect} /> : handle}
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
        <div className={styles.state}>
          {chipsOf(media).map((chip) => (
            <Tag key={chip}>{chip}</Tag>
          ))}
          {media.showInStore && <Money value={media.price} />}
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
                size="lg"
                aria-label={`Edit ${name}`}
              >
                <IconPencil size={20} stroke={1.75} aria-hidden />
              </ActionIcon>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={onDelete}
              aria-label={`Delete ${name}`}
            >
              <IconTrash size={20} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
        )}
      </div>
    </article>
  )
}
