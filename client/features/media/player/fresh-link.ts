import { expiryOf } from '../../../../contract/media-links.ts'

/** Links live 300 s at most (docs/product.md, Media): one older than this is replaced before it is used again. */
const OLD_MS = 120_000
/** One that ends sooner than this by the viewer's clock is not started with. */
const NEARLY_OVER_MS = 60_000

/** A link that is renewed before it expires, for as long as it is used. Times in milliseconds. */
export type FreshLink = {
  /** The link as it is good now. Throws when no new one could be had. */
  get(now: number): Promise<string>
  /** The link was refused: the next one is a new one. */
  refused(): void
}

/** Begins with a link of unknown age; `renew` asks for another one. `wallClock` is the time since 1970. */
export function freshLink(first: string, renew: () => Promise<string>, wallClock: number): FreshLink {
  const ends = expiryOf(first) * 1000
  let link = first
  let since: number | null = null
  let old = ends - wallClock < NEARLY_OVER_MS
  let underWay: Promise<string> | null = null
  return {
    async get(now) {
      since ??= now
      if (!old && now - since < OLD_MS) return link
      underWay ??= renew()
        .then((next) => {
          link = next
          since = now
          old = false
          return next
        })
        .finally(() => {
          underWay = null
        })
      return underWay
    },
    refused() {
      old = true
    },
  }
}
