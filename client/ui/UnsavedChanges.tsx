import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useBlocker, useLocation } from 'react-router'
import { lostByLeaving, subscribeLost } from '../lib/unsaved.ts'
import { lazyPart } from './lazy-part.tsx'
import { pageShown, topmostDialog } from './open-dialogs.ts'
import { leavingTexts } from './texts.ts'

const ConfirmDialog = lazyPart(() => import('./ConfirmDialog.tsx').then((module) => module.ConfirmDialog))

/** The state of an entry of the history whose search, not its path, decides which forms are on the page. */
export const takesForms = { takesForms: true }

/**
 * Asks before a page is left with something on it that is not kept yet: by a link, by going back, or by closing the tab.
 * Going back with a dialog open closes the dialog instead.
 */
export function UnsavedChanges() {
  const lost = useSyncExternalStore(subscribeLost, lostByLeaving)
  const { key } = useLocation()
  // With what it draws: a reload right after would find an entry that says nothing of the first page.
  useLayoutEffect(() => pageShown(key), [key])
  const closesDialog = useRef<(() => void) | null>(null)
  // Read when it happens: a form that was just sent leads on before anything is drawn again.
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    closesDialog.current = historyAction === 'POP' ? topmostDialog() : null
    return (
      closesDialog.current !== null ||
      (lostByLeaving() !== null &&
        (currentLocation.pathname !== nextLocation.pathname ||
          (currentLocation.search !== nextLocation.search &&
            [currentLocation, nextLocation].some(({ state }) => state?.takesForms))))
    )
  })
  useEffect(() => {
    if (blocker.state !== 'blocked' || !closesDialog.current) return
    blocker.reset()
    closesDialog.current()
  }, [blocker])
  const asking = lost !== null
  useEffect(() => {
    if (!asking) return
    // Read when it happens: a person who has just agreed to leave isn't asked once more.
    const warn = (event: BeforeUnloadEvent) => {
      if (lostByLeaving() !== null) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [asking])
  const blocked = blocker.state === 'blocked' && !closesDialog.current
  if (!blocked && !asking) return null
  return (
    <ConfirmDialog
      opened={blocked}
      onClose={() => blocker.state === 'blocked' && blocker.reset()}
      title={leavingTexts.title}
      confirmLabel={leavingTexts.leave}
      cancelLabel={leavingTexts.stay}
      stays
      onConfirm={async () => blocker.state === 'blocked' && blocker.proceed()}
    >
      {lost}
    </ConfirmDialog>
  )
}
