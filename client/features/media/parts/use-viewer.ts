import { useCallback, useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

const PARAMETER = 'view'
/** The state of an entry that stands above that of the page without the viewer. */
const OPENED_HERE = { viewer: true }

/** Which item the full-screen viewer shows. It stands in the address, so that the back button of a phone closes it. */
export function useViewer() {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const openedHere = (state as Partial<typeof OPENED_HERE> | null)?.viewer === true

  const show = useCallback(
    (mediaId: string | null, options: { replace?: boolean; state?: unknown }) => {
      const next = new URLSearchParams(location.search)
      if (mediaId) next.set(PARAMETER, mediaId)
      else next.delete(PARAMETER)
      void navigate({ pathname, search: `?${next}` }, { ...options, preventScrollReset: true })
    },
    [navigate, pathname],
  )
  // The same from one drawing to the next, as the rows of a conversation are drawn again with another.
  const open = useCallback((mediaId: string) => show(mediaId, { state: OPENED_HERE }), [show])
  const move = (mediaId: string) => show(mediaId, { replace: true, state })
  const close = () => (openedHere ? void navigate(-1) : show(null, { replace: true }))

  return { viewing: parameters.get(PARAMETER), open, move, close }
}

/**
 * From the first page of a visit Back would leave the site: a viewer that its address opened (`isShown`) gets an entry of
 * its own there, above that of the page without it.
 */
export function useEntryBelow(isShown: boolean): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isShown || history.state?.idx !== 0) return
    const { pathname, search } = location
    const below = new URL(location.href)
    below.searchParams.delete(PARAMETER)
    history.replaceState(history.state, '', below)
    void navigate({ pathname, search }, { state: OPENED_HERE, preventScrollReset: true })
  }, [isShown, navigate])
}
