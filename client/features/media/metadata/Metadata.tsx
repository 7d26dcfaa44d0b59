import '@mantine/core/styles/NumberInput.css'
import { Button, NativeSelect, NumberInput } from '@mantine/core'
import { IconPhotoCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { MAX_VIDEO_SECONDS } from '../../../../contract/constants.ts'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { type Media, metadataQuery, useEditMedia } from '../api.ts'
import { nameOf } from '../manage/words.ts'
import { MediaList } from '../parts/MediaList.tsx'
import { WallTile } from '../parts/WallTile.tsx'
import styles from './Metadata.module.css'

type Type = Media['type']
type Shown = Type | ''

/** Type and duration of everybody's uploaded items, for the operator to correct (docs/product.md, Pages, Media metadata admin list). */
export function Metadata() {
  const [shown, setShown] = useState<Shown>('')
  return (
    <div className={styles.page}>
      <NativeSelect
        label="Show"
        size="md"
        className={styles.filter ?? ''}
        value={shown}
        onChange={(event) => setShown(event.currentTarget.value as Shown)}
        data={[
          { value: '', label: 'All media' },
          { value: 'image', label: 'Pictures' },
          { value: 'video', label: 'Videos' },
        ]}
      />
      <MediaList
        key={shown}
        query={metadataQuery(shown || undefined)}
        waiting={<SkeletonLines lines={8} />}
        empty={
          <EmptyState Icon={IconPhotoCheck} title="Nothing was uploaded yet">
            Everything that creators upload stands here, so that its type and duration can be corrected.
          </EmptyState>
        }
      >
        {(items) => (
          <ul className={styles.list} aria-label="Media">
            {items
              .filter(({ redGif }) => redGif === '')
              .map((media) => (
                <MetadataRow key={media._id} media={media} />
              ))}
          </ul>
        )}
      </MediaList>
    </div>
  )
}

function MetadataRow({ media }: { media: Media }) {
  const navigate = useNavigate()
  const edit = useEditMedia(media._id)
  const [type, setType] = useState(media.type)
  const [duration, setDuration] = useState<number | null>(media.duration)
  const name = nameOf(media)
  const save = () =>
    edit.mutate({
      type,
      reason: 'Correction of what was read from the file',
      ...(type === 'video' && duration !== null ? { duration: Math.floor(duration) } : {}),
    })
  return (
    <li className={styles.row}>
      <div className={styles.picture}>
        <WallTile media={media} onOpen={() => void navigate(paths.media(media._id))} ratio={1} sizes="7rem" />
      </div>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <fieldset className={styles.fields} aria-label={`Metadata of ${name}`}>
          <p className={styles.name}>
            <Link to={paths.media(media._id)} className={styles.title}>
              {name}
            </Link>
            <span className={styles.by}>by {media.username}</span>
          </p>
          <NativeSelect
            label="Type"
            size="md"
            value={type}
            onChange={(event) => {
              setType(event.currentTarget.value === 'video' ? 'video' : 'image')
              edit.reset()
            }}
            data={[
              { value: 'image', label: 'Image' },
              { value: 'video', label: 'Video' },
            ]}
          />
          {type === 'video' && (
            <NumberInput
              label="Duration"
              value={duration ?? ''}
              onChange={(seconds) => {
                setDuration(typeof seconds === 'number' ? seconds : null)
                edit.reset()
              }}
              min={0}
              max={MAX_VIDEO_SECONDS}
              clampBehavior="strict"
              allowNegative={false}
              decimalScale={2}
              suffix=" s"
              hideControls
              inputMode="decimal"
            />
          )}
          <div className={styles.actions}>
            <Button type="submit" variant="default" loading={edit.isPending}>
              Set Metadata
            </Button>
            <p className={styles.saved} role="status">
              {edit.isSuccess && 'Updated!'}
            </p>
          </div>
          <div className={styles.failure}>
            <FormError>{edit.isError ? errorMessage(edit.error) : null}</FormError>
          </div>
        </fieldset>
      </form>
    </li>
  )
}
