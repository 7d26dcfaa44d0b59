import { useLocation, useNavigationType } from 'react-router'

/** What a row of the list says to the page that it opens. */
export const FROM_LIST = { fromList: true }

/** Names the visit that a row of the list began; null for one that a link, Back or a reload did. */
export function useOpenedFromList(): string | null {
  const { key, state } = useLocation()
  const isBack = useNavigationType() === 'POP'
  return !isBack && (state as Partial<typeof FROM_LIST> | null)?.fromList ? key : null
}
