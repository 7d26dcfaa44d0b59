import type { Location } from 'react-router'

const STORED = 'scroll-positions'

/** Under what the scroll position of an entry of the history is kept; entries that were opened by address share a key, so they go by that. */
export function scrollKey({ key, pathname, search }: Pick<Location, 'key' | 'pathname' | 'search'>): string {
  return key === 'default' ? pathname + search : key
}

/** Where the positions are kept. An address that was typed or followed from elsewhere starts at its top, whatever was seen of it before. */
export function scrollStorage(
  navigation: string | undefined,
  placeOf: () => Pick<Storage, 'getItem' | 'setItem'>,
  address: string,
): string {
  if (navigation === 'navigate') {
    try {
      const place = placeOf()
      const { [address]: _, ...others } = JSON.parse(place.getItem(STORED) ?? '{}')
      place.setItem(STORED, JSON.stringify(others))
    } catch {
      // Nothing that can be read is kept there, or the browser refuses it.
    }
  }
  return STORED
}
