import { useState } from 'react'
import type { DialogProps } from './DialogWindow.tsx'
import { lazyPart } from './lazy-part.tsx'

const DialogWindow = lazyPart(() => import('./DialogWindow.tsx').then((module) => module.default))

/** A dialog, on phones a sheet from below. Its code loads when it is opened for the first time. */
export function Dialog(props: DialogProps) {
  const [needed, setNeeded] = useState(props.opened)
  if (props.opened && !needed) setNeeded(true)
  if (!needed) return null
  return <DialogWindow {...props} />
}
