import { createContext, type ReactNode, useContext, useState } from 'react'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { TimelineItem } from './api.ts'

const ItemDialog = lazyPart(() => import('./ItemDialog.tsx').then((module) => module.ItemDialog))

const EditItem = createContext<(item: TimelineItem) => void>(() => {})

/** Opens the editor of an item. */
export const useEditItem = () => useContext(EditItem)

/** The editor of the items inside. It stays open, with what is typed, where its item goes up, moves or leaves meanwhile. */
export function ItemEditing({ children }: { children: ReactNode }) {
  const [item, setItem] = useState<TimelineItem | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [edit] = useState(() => (chosen: TimelineItem) => {
    setItem(chosen)
    setOpen(true)
  })
  return (
    <EditItem value={edit}>
      {children}
      {item && <ItemDialog key={item._id} item={item} opened={isOpen} onClose={() => setOpen(false)} />}
    </EditItem>
  )
}
