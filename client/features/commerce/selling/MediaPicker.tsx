import '@mantine/core/styles/Switch.css'
import { Switch } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useInfiniteScroll } from '../../../ui/infinite-scroll.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { MediaGrid, MediaGridSkeleton } from '../../../ui/MediaGrid.tsx'
import { MediaTile } from '../../../ui/MediaTile.tsx'
import { Section } from '../../../ui/Page.tsx'
import { type Media, pickerQuery } from '../api.ts'
import styles from './MediaPicker.module.css'

type MediaPickerProps = {
  kind: 'subscription' | 'bundle'
  creatorId: string
  selected: readonly string[]
  onChange: (selected: string[]) => void
}

/** The creator's library, to choose from by tapping; what is chosen carries a number in its order. */
export function MediaPicker({ kind, creatorId, selected, onChange }: MediaPickerProps) {
  // What was selected when the switch was turned on, so that a tile does not vanish under the finger.
  const [frozen, setFrozen] = useState<readonly string[] | null>(null)
  const list = useInfiniteQuery(pickerQuery(kind, creatorId, frozen))
  useInfiniteScroll({
    hasMore: list.hasNextPage,
    paused: list.isFetchingNextPage || list.isFetchNextPageError,
    onMore: () => void list.fetchNextPage(),
  })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const toggle = (id: string) =>
    onChange(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id])
  return (
    <Section
      title={`Media · ${selected.length} selected`}
      action={
        <Switch
          label="Show selected only"
          checked={frozen !== null}
          onChange={(event) => setFrozen(event.currentTarget.checked ? [...selected] : null)}
        />
      }
    >
      {list.isPending && <MediaGridSkeleton tiles={8} ratio={1} />}
      {list.isError && items.length === 0 && (
        <ErrorState
          title="Your media could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && items.length === 0 && (
        <EmptyState
          title={frozen ? 'Nothing is selected yet' : 'Your library is empty'}
          {...(frozen ? {} : { action: <LinkButton to={paths.uploadBulk}>Upload media</LinkButton> })}
        >
          {frozen
            ? 'Turn the switch off and tap what belongs in here.'
            : 'Upload pictures and videos, then choose from them here.'}
        </EmptyState>
      )}
      {items.length > 0 && (
        <MediaGrid label="Your media">
          {items.map((media) => (
            <PickerTile
              key={media._id}
              media={media}
              place={selected.indexOf(media._id)}
              onToggle={() => toggle(media._id)}
            />
          ))}
        </MediaGrid>
      )}
    </Section>
  )
}

function PickerTile({ media, place, onToggle }: { media: Media; place: number; onToggle: () => void }) {
  const chosen = place >= 0
  const picture = media.type === 'video' ? media.poster : media.url
  return (
    <label className={styles.choice} data-chosen={chosen || undefined}>
      <input
        type="checkbox"
        className={styles.box}
        checked={chosen}
        onChange={onToggle}
        aria-label={media.title || (media.type === 'video' ? 'Video' : 'Picture')}
      />
      <MediaTile
        ratio={1}
        sizes="(min-width: 62em) 18rem, 50vw"
        media={{ ...media, picture, state: 'open' }}
        corner={
          <span className={styles.mark} aria-hidden>
            {chosen && <IconCheck size={16} stroke={2.5} />}
          </span>
        }
      />
    </label>
  )
}
