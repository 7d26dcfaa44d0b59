import { type RefObject, useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type UnsavedChangesProps = {
  /** What would be lost by leaving, in one sentence; null while nothing would be. */
  lost: string | null
  /** True for a moment in which the person leaves on purpose. */
  leaving?: RefObject<boolean>
}

/** Asks before a page is left with something on it that is not kept yet: by a link, by going back, or by closing the tab. */
export function UnsavedChanges({ lost, leaving }: UnsavedChangesProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      lost !== null && !leaving?.current && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (lost === null) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [lost])
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      onClose={() => blocker.state === 'blocked' && blocker.reset()}
      title="Leave this page?"
      confirmLabel="Leave"
      cancelLabel="Stay here"
      onConfirm={async () => blocker.state === 'blocked' && blocker.proceed()}
    >
      {lost}
    </ConfirmDialog>
  )
}
