import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { MediaGrid, MediaGridSkeleton } from '../../../ui/MediaGrid.tsx'
import { Section } from '../../../ui/Page.tsx'
import { type Turned, turnedBy } from '../../../ui/selection.ts'
import type { Media } from '../../media/api.ts'
import { type PickerFilter, pickerQuery } from './api.ts'
import styles from './MediaPicker.module.css'
import { PickerFilters } from './PickerFilters.tsx'
import { PickerTile } from './PickerTile.tsx'
import { pickerTexts } from './texts.ts'

const NO_FILTER: PickerFilter = { search: '', type: null }

type MediaPickerProps = {
  kind: 'subscription' | 'bundle'
  creatorId: string
  selected: readonly string[]
  onTurn: (turned: Turned<Media>) => void
  /** The caption of the chosen items, with their number. */
  title: string
  hint?: string
}

/** The creator's library, to choose from one by one or, with shift, in ranges. */
export function MediaPicker({ kind, creatorId, selected, onTurn, title, hint }: MediaPickerProps) {
  // The items selected when the switch was turned on, so that a tile doesn't vanish under the finger.
  const [frozen, setFrozen] = useState<readonly string[] | null>(null)
  const [filter, setFilter] = useState(NO_FILTER)
  const filtered = filter.search !== '' || filter.type !== null
  const list = useList({
    ...pickerQuery(kind, creatorId, filter, frozen),
    placeholderData: keepPreviousData,
  })
  const { items } = list
  const places = useMemo(() => new Map(selected.map((id, index) => [id, index + 1])), [selected])
  const complete = !list.isPending && !list.isPlaceholderData && !list.error && !list.hasNextPage
  const unlisted = frozen !== null && !filtered && complete ? frozen.length - items.length : 0

  const anchor = useRef<string | null>(null)
  const narrow = (change: Partial<PickerFilter>) => {
    anchor.current = null
    setFilter((before) => ({ ...before, ...change }))
  }
  const latest = useRef({ items, selected, onTurn })
  useLayoutEffect(() => {
    latest.current = { items, selected, onTurn }
  })
  // The same function for good, so that a click draws only the tiles that change.
  const toggle = useCallback((key: string, range: boolean) => {
    const { items, selected, onTurn } = latest.current
    onTurn(
      turnedBy({
        items,
        keyOf: ({ _id }) => _id,
        chosen: new Set(selected),
        key,
        anchor: range ? anchor.current : null,
      }),
    )
    anchor.current = key
  }, [])

  return (
    <Section
      title={title}
      action={
        <Switch
          label={pickerTexts.selectedOnly}
          checked={frozen !== null}
          onChange={(event) => {
            anchor.current = null
            setFrozen(event.currentTarget.checked ? [...selected] : null)
          }}
        />
      }
    >
      {hint && <p className={styles.hint}>{hint}</p>}
      <PickerFilters filter={filter} onChange={narrow} />
      <GrowingList
        list={list}
        failed={pickerTexts.loadFailed}
        waiting={<MediaGridSkeleton tiles={8} ratio={1} />}
        empty={
          complete && (
            <NothingToChoose
              selectedOnly={frozen !== null}
              filtered={filtered}
              onClear={() => narrow(NO_FILTER)}
            />
          )
        }
      >
        <div className={styles.list} aria-busy={list.isPlaceholderData}>
          <MediaGrid label={pickerTexts.media}>
            {items.map((media) => (
              <PickerTile
                key={media._id}
                media={media}
                place={places.get(media._id) ?? null}
                onToggle={toggle}
              />
            ))}
          </MediaGrid>
        </div>
      </GrowingList>
      <div className={styles.more} aria-live="polite">
        {unlisted > 0 && <p>{pickerTexts.unlisted(unlisted)}</p>}
      </div>
    </Section>
  )
}

type NothingToChooseProps = { selectedOnly: boolean; filtered: boolean; onClear: () => void }

function NothingToChoose({ selectedOnly, filtered, onClear }: NothingToChooseProps) {
  if (filtered) {
    return (
      <EmptyState
        Icon={IconSearchOff}
        title={selectedOnly ? pickerTexts.noSelectedFound : pickerTexts.noneFound}
        action={
          <Button variant="default" onClick={onClear}>
            {pickerTexts.clear}
          </Button>
        }
      >
        {pickerTexts.noneFoundHint}
      </EmptyState>
    )
  }
  return selectedOnly ? (
    <EmptyState title={pickerTexts.noneSelected}>{pickerTexts.noneSelectedHint}</EmptyState>
  ) : (
    <EmptyState
      title={pickerTexts.emptyLibrary}
      action={<LinkButton to={paths.uploadBulk}>{pickerTexts.upload}</LinkButton>}
    >
      {pickerTexts.emptyLibraryHint}
    </EmptyState>
  )
}
