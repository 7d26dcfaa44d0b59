import { ActionIcon } from '@mantine/core'
import { IconPencil, IconPhotoPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { type Media, manageMediaQuery } from '../api.ts'
import { CardGrid, CardGridSkeleton } from '../library/CardGrid.tsx'
import { MediaList } from '../wall/MediaList.tsx'
import { WallTile } from '../wall/WallTile.tsx'
import { DeleteMediaDialog } from './DeleteMediaDialog.tsx'
import styles from './ManageMedia.module.css'
import { badgeOf } from './words.ts'

/** The person's own library, to edit and delete from (promotion-tools §2, Manage media page). */
export function ManageMedia() {
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<Media | null>(null)
  return (
    <>
      <MediaList
        query={manageMediaQuery}
        waiting={<CardGridSkeleton />}
        empty={
          <EmptyState
            Icon={IconPhotoPlus}
            title="Your library is empty"
            action={<LinkButton to={paths.uploadBulk}>Upload media</LinkButton>}
          >
            Pictures and videos that you upload are kept here. Nothing is shown to anybody before you say so.
          </EmptyState>
        }
      >
        {(items) => (
          <CardGrid label="Your media">
            {items.map((media, index) => (
              <ManageCard
                key={media._id}
                media={media}
                eager={index < 6}
                onOpen={() => void navigate(paths.media(media._id))}
                onDelete={() => setDeleting(media)}
              />
            ))}
          </CardGrid>
        )}
      </MediaList>
      <DeleteMediaDialog media={deleting} onClose={() => setDeleting(null)} />
    </>
  )
}

type ManageCardProps = { media: Media; eager: boolean; onOpen: () => void; onDelete: () => void }

function ManageCard({ media, eager, onOpen, onDelete }: ManageCardProps) {
  const name = media.title || (media.type === 'video' ? 'Untitled video' : 'Untitled picture')
  return (
    <article className={styles.card}>
      <WallTile
        media={media}
        onOpen={onOpen}
        ratio={4 / 5}
        eager={eager}
        sizes="(min-width: 62em) 24rem, 50vw"
      />
      <div className={styles.words}>
        <p className={styles.title}>
          <Link
            className={styles.link}
            to={paths.editMedia(media._id)}
            data-untitled={media.title === '' || undefined}
          >
            {name}
          </Link>
        </p>
        <div className={styles.state}>
          <Tag>{badgeOf(media)}</Tag>
          {media.showInStore && <Money value={media.price} />}
        </div>
        <div className={styles.actions}>
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
      </div>
    </article>
  )
}
