import escapeHtml from 'escape-html'
import type { z } from 'zod'
import { pictureOf, sourcesOf } from '../../contract/media-links.ts'
import { DETAIL_SIZES, place, WALL_SIZES } from '../../contract/media-wall.ts'
import type { FeedMedia } from '../../contract/routes/media/viewing.ts'
import type { PublicProfile } from '../../contract/routes/profiles/profiles.ts'

type Item = z.output<typeof FeedMedia>
type Profile = z.output<typeof PublicProfile>

/** The pictures that a page's initial data gives its document: a wall, one item, or a person. */
export type FirstContent =
  | { kind: 'wall'; items: Item[]; creators: boolean; tags: boolean }
  | { kind: 'item'; item: Item }
  | {
      kind: 'profile'
      profile: Pick<Profile, 'username' | 'firstName' | 'profileImage' | 'profileHeroImage'>
    }

/** HTML, and the styles that only this document needs: the policy allows no inline style attributes. */
export type Drawn = { html: string; css: string }

/** Two rows of the widest wall. */
const MAX_TILES = 8
/** Walls by minimum window width, in pixels: the columns, and their approximate width (parts/use-wall-size.ts). */
const WALLS = [
  { from: 0, columns: 2, width: 195 },
  { from: 400, columns: 2, width: 210 },
  { from: 768, columns: 3, width: 320 },
  { from: 1200, columns: 4, width: 300 },
]

/** Discover's heading, room for its tools, and its first pictures in their final positions. */
export function drawWall(
  { items, creators, tags }: Extract<FirstContent, { kind: 'wall' }>,
  heading: string,
): Drawn {
  const shown = items.slice(0, MAX_TILES)
  const places = WALLS.map(({ from, columns, width }) => {
    const rules = place(shown, columns, width).map(
      ({ column, row, span }, at) =>
        `.first-tile:nth-child(${at + 1}){grid-area:${row}/${column}/span ${span}}`,
    )
    return `@media (min-width:${from}px){${rules.join('')}}`
  })
  const tiles = shown.map(
    (item, at) => `<span class="first-tile">${picture(item, WALL_SIZES, at < 4)}</span>`,
  )
  const room = `<div class="first-tools"${tags ? ' data-tags' : ''}${creators ? ' data-creators' : ''}></div>`
  return {
    html: `${heading}<div class="first-wall-page">${room}<div class="first-wall"><div>${tiles.join('')}</div></div></div>`,
    css: places.join(''),
  }
}

/** The top of a profile: both pictures and the names (profiles/ProfileHeader.tsx). */
export function drawProfile({ profile }: Extract<FirstContent, { kind: 'profile' }>): Drawn {
  const { username, firstName, profileImage, profileHeroImage } = profile
  const img = (address: string) => `<img alt="" fetchpriority="high" src="${escapeHtml(address)}" />`
  const cover = profileHeroImage
    ? `<div class="first-cover">${img(profileHeroImage)}</div>`
    : '<div class="first-cover" data-empty></div>'
  const face = profileImage ? img(profileImage) : escapeHtml(username.slice(0, 1).toUpperCase())
  return {
    html:
      `<div class="first-profile">${cover}<div class="first-person"><span class="first-avatar" aria-hidden="true">${face}</span>` +
      `<h1 class="first-name">${escapeHtml(firstName || username)}</h1><p>@${escapeHtml(username)}</p></div></div>`,
    css: '',
  }
}

/** Width over height if unknown, such as of an external gif (detail/MediaDetail.tsx). */
const USUAL_RATIO = 4 / 5

/** The item in its page's box, empty while it is locked or external, and its title. */
export function drawItem({ item }: Extract<FirstContent, { kind: 'item' }>): Drawn {
  const { title, width, height } = item
  const ratio = width > 0 && height > 0 ? width / height : USUAL_RATIO
  const stage = `<div class="first-stage"><span class="first-box">${picture(item, DETAIL_SIZES, true)}</span></div>`
  const name = title ? `<h1 class="first-title">${escapeHtml(title)}</h1>` : ''
  return {
    html: `<div class="first-item">${stage}<div>${name}</div></div>`,
    css: `.first-box{aspect-ratio:${ratio};--ratio:${ratio}}`,
  }
}

/** The same sources as in the application, so that the browser fetches one of them once. */
function picture(item: Item, sizes: string, first: boolean): string {
  const address = pictureOf(item)
  if (address === null || item.redGif) return ''
  const sources = item.type === 'video' && sizes === DETAIL_SIZES ? [] : sourcesOf(item)
  const srcset = sources.map(({ url, width }) => `${url} ${width}w`).join(', ')
  const choice = sources.length > 1 ? ` srcset="${escapeHtml(srcset)}" sizes="${sizes}"` : ''
  const when = first ? 'fetchpriority="high"' : 'loading="lazy"'
  return `<img alt="" ${when}${choice} src="${escapeHtml(address)}" />`
}
