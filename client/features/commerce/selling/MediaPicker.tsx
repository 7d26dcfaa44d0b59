import '@mantine/core/styles/Switch.css'
import { Button, Loader, Switch } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { sentenceOf } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useInfiniteScroll } from '../../../ui/infinite-scroll.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { MediaGrid, MediaGridSkeleton } from '../../../ui/MediaGrid.tsx'
import { Section } from '../../../ui/Page.tsx'
import { type Media, pickerQuery } from '../api.ts'
import { type Turned, turnedBy } from './choosing.ts'
import styles from './MediaPicker.module.css'
import { PickerTile } from './PickerTile.tsx'

type MediaPickerProps = {
  kind: 'subscription' | 'bundle'
  creatorId: string
  selected: readonly string[]
  onTurn: (turned: Turned<Media>) => void
}

/** The creator's library, to choose from one by one or, with shift, in ranges. */
export function MediaPicker({ kind, creatorId, selected, onTurn }: MediaPickerProps) {
  // What was selected when the switch was turned on, so that a tile does not vanish under the finger.
  const [frozen, setFrozen] = useState<readonly string[] | null>(null)
  const list = useInfiniteQuery(pickerQuery(kind, creatorId, frozen))
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  useInfiniteScroll({
    hasMore: hasNextPage,
    paused: isFetchingNextPage || isFetchNextPageError,
    onMore: () => void fetchNextPage(),
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const places = useMemo(() => new Map(selected.map((id, index) => [id, index + 1])), [selected])
  const unlisted = frozen !== null && list.isSuccess && !hasNextPage ? frozen.length - items.length : 0

  const anchor = useRef<number | null>(null)
  const latest = useRef({ items, selected, onTurn })
  latest.current = { items, selected, onTurn }
  // The same function for good, so that a click draws only the tiles that change.
  const toggle = useCallback((index: number, range: boolean) => {
    const { items, selected, onTurn } = latest.current
    onTurn(turnedBy(items, new Set(selected), index, range ? anchor.current : null))
    anchor.current = index
  }, [])

  return (
    <Section
      title={`Media · ${selected.length.toLocaleString('en')} selected`}
      action={
        <Switch
          label="Show selected only"
          checked={frozen !== null}
          onChange={(event) => {
            anchor.current = null
            setFrozen(event.currentTarget.checked ? [...selected] : null)
          }}
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
      {list.isSuccess && items.length === 0 && <NothingToChoose selectedOnly={frozen !== null} />}
      {items.length > 0 && (
        <MediaGrid label="Your media">
          {items.map((media, index) => (
            <PickerTile
              key={media._id}
              media={media}
              index={index}
              place={places.get(media._id) ?? null}
              onToggle={toggle}
            />
          ))}
        </MediaGrid>
      )}
      <div className={styles.more} aria-live="polite">
        {isFetchingNextPage && <Loader size="sm" aria-label="Loading more" />}
        {isFetchNextPageError && (
          <>
            <p>{sentenceOf(list.error)}</p>
            <Button variant="default" onClick={() => void fetchNextPage()}>
              Try again
            </Button>
          </>
        )}
        {unlisted > 0 && (
          <p>
            {unlisted === 1 ? '1 selected item is' : `${unlisted} selected items are`} private now and not
            listed here.
          </p>
        )}
      </div>
    </Section>
  )
}

function NothingToChoose({ selectedOnly }: { selectedOnly: boolean }) {
  return selectedOnly ? (
    <EmptyState title="Nothing is selected yet">
      Turn the switch off and choose what belongs in here.
    </EmptyState>
  ) : (
    <EmptyState
      title="Your library is empty"
      action={<LinkButton to={paths.uploadBulk}>Upload media</LinkButton>}
    >
      Upload pictures and videos, then choose from them here.
    </EmptyState>
  )
}
