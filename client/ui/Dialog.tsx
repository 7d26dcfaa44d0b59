import { lazy, Suspense, useState } from 'react'
import type { DialogProps } from './DialogWindow.tsx'

const DialogWindow = lazy(() => import('./DialogWindow.tsx'))

/** A dialog, on phones a sheet from below. Its code loads when it is opened for the first time. */
export function Dialog(props: DialogProps) {
  const [needed, setNeeded] = useState(props.opened)
  if (props.opened && !needed) setNeeded(true)
  if (!needed) return null
  return (
    <Suspense fallback={null}>
      <DialogWindow {...props} />
    </Suspense>
  )
}
