import { useSyncExternalStore } from 'react'

/** Whether the window is at least so wide, a length of CSS, now and after it changes: for what narrow windows do without. */
export function useIsWide(from: string): boolean {
  const query = `(min-width: ${from})`
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}
