import { useCallback, useEffect, useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { toast } from '../../../ui/toast.ts'
import { type LibraryMedia, type SelectedMedia, useSelectAll } from './api.ts'
import { addressOf, type LibraryFilter } from './filter.ts'
import { NOTHING_SELECTED, refreshed, type Selection, selectAll, toggle } from './selection.ts'
import { texts } from './texts.ts'

/** Selecting items of the library, one by one or all that match the filter. */
export function useSelecting(filter: LibraryFilter) {
  const [selecting, setSelecting] = useState(false)
  const [selection, setSelection] = useState<Selection<SelectedMedia>>(NOTHING_SELECTED)
  const { mutate, reset, isPending } = useSelectAll(filter)
  const matching = addressOf(filter).toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer for another filter is no longer wanted.
  useEffect(() => reset, [matching, reset])

  const stop = () => {
    reset()
    setSelecting(false)
    setSelection(NOTHING_SELECTED)
  }
  return {
    selecting,
    chosen: selection.chosen,
    /** All that match are being asked for. */
    asking: isPending,
    start: () => setSelecting(true),
    stop,
    none: () => {
      reset()
      setSelection(NOTHING_SELECTED)
    },
    all: () =>
      mutate(undefined, {
        onSuccess: ({ items }) => setSelection((now) => selectAll(now, items)),
        onError: (error) => toast.failure(texts.selectAllFailed(errorMessage(error))),
      }),
    /** Turns one item of the list, or with `range` all up to it. */
    turn: useCallback(
      (list: readonly LibraryMedia[], id: string, range: boolean) =>
        setSelection((now) => toggle(now, list, id, range)),
      [],
    ),
    /** The selected items as they are now. */
    refresh: (fresh: readonly SelectedMedia[]) => setSelection((now) => refreshed(now, fresh)),
  }
}
