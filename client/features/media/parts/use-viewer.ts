import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

const PARAMETER = 'view'

/** Which item the full-screen viewer shows. It stands in the address, so that the back button of a phone closes it. */
export function useViewer() {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const openedHere = (state as { viewer?: boolean } | null)?.viewer === true

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
  const open = useCallback((mediaId: string) => show(mediaId, { state: { viewer: true } }), [show])
  const move = (mediaId: string) => show(mediaId, { replace: true, state })
  const close = () => (openedHere ? void navigate(-1) : show(null, { replace: true }))

  return { viewing: parameters.get(PARAMETER), open, move, close }
}
