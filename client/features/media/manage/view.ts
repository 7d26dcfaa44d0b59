import { useState } from 'react'
import { store } from '../../../lib/storage.ts'

/** How the library is laid out: pictures beside one another, or a row for each item. */
export type LibraryView = 'grid' | 'list'

const KEY = 'libraryView'

/** How this browser showed the library last, and how to change it. */
export function useLibraryView(): [LibraryView, (view: LibraryView) => void] {
  const [view, setView] = useState<LibraryView>(() => (store.getItem(KEY) === 'list' ? 'list' : 'grid'))
  return [
    view,
    (next) => {
      store.setItem(KEY, next)
      setView(next)
    },
  ]
}
