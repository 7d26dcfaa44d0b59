import escapeHtml from 'escape-html'
import type { PagePreview } from '../handler.ts'

/** A page's metadata, for browsers without script, crawlers, and link previews. */
export type PageHead = {
  brand: string
  publicUrl: string
  /** The page's public preview; null for the site's default text. */
  preview: PagePreview | null
  /** Null for a page without a canonical address. */
  canonicalPath: string | null
  index: boolean
}

const ABOUT = 'Subscriptions, bundles, and singles, straight from the people who make them.'
const BRAND_IMAGE = '/preview.png'

/** Title, description, canonical address, Open Graph (ogp.me) and Twitter card, as escaped HTML. */
export function pageHead({ brand, publicUrl, preview, canonicalPath, index }: PageHead): string {
  const title = preview ? `${preview.title} · ${brand}` : brand
  const description = preview?.description ?? ABOUT
  const path = preview?.path ?? canonicalPath
  const property = (name: string, content: string) =>
    `<meta property="og:${name}" content="${escapeHtml(content)}" />`
  const named = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`
  return [
    `<title>${escapeHtml(title)}</title>`,
    named('description', description),
    ...(index ? [] : [named('robots', 'noindex')]),
    ...(path ? [`<link rel="canonical" href="${escapeHtml(publicUrl + path)}" />`] : []),
    property('site_name', brand),
    property('type', preview?.kind ?? 'website'),
    property('title', preview?.title ?? brand),
    property('description', description),
    ...(path ? [property('url', publicUrl + path)] : []),
    property('image', publicUrl + (preview?.image ?? BRAND_IMAGE)),
    named('twitter:card', preview?.kind === 'article' ? 'summary_large_image' : 'summary'),
  ].join('\n    ')
}
