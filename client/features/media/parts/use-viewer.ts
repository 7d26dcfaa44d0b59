import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

const PARAMETER = 'view'

/** Which item the full-screen viewer shows. It stands in the address, so that the back button of a phone closes it. */
export function useViewer() {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const openedHere = (state as { viewer?: boolean } | null)?.viewer === true

  const open = useCallback(
    (mediaId: string) => {
      const next = new URLSearchParams(location.search)
      next.set(PARAMETER, mediaId)
      void navigate({ pathname, search: `?${next}` }, { state: { viewer: true }, preventScrollReset: true })
    },
    [navigate, pathname],
  )
  const move = useCallback(
    (mediaId: string) => {
      const next = new URLSearchParams(location.search)
      // It may have been closed meanwhile.
      if (!next.has(PARAMETER) || next.get(PARAMETER) === mediaId) return
      next.set(PARAMETER, mediaId)
      void navigate({ pathname, search: `?${next}` }, { replace: true, state, preventScrollReset: true })
    },
    [navigate, pathname, state],
  )
  const close = useCallback(() => {
    if (openedHere) {
      void navigate(-1)
      return
    }
    const next = new URLSearchParams(location.search)
    next.delete(PARAMETER)
    void navigate({ pathname, search: `?${next}` }, { replace: true, preventScrollReset: true })
  }, [navigate, pathname, openedHere])

  return { viewing: parameters.get(PARAMETER), open, move, close }
}
