import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type axe from 'axe-core'
import { expect } from 'vitest'
import { waitUntil } from './waiting.ts'
import { DESK, PHONE, type Window } from './window.ts'

/** What a page is given to look at itself with. The package's `axe.source` is twice as long, for every page anew. */
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A size of the window and the colors that its person prefers. */
export type Look = { viewport: { width: number; height: number }; colorScheme: 'dark' | 'light' }

/** Each size and each color once, in the pairs in which the tours of all pages (`pages.story.ts`) don't look. */
export const TWO_LOOKS: Look[] = [
  { viewport: PHONE, colorScheme: 'light' },
  { viewport: DESK, colorScheme: 'dark' },
]
const ALL_LOOKS: Look[] = [PHONE, DESK].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
)

/** The folder for pictures of the pages; none are taken without it. */
const PICTURES = process.env.PICTURES_DIR

/**
 * Looks at the page as it stands: no barrier, nothing wider than the window, nothing too small for a finger on a phone.
 * Takes pictures under this name, if pictures are wanted.
 */
export async function looksFinished(window: Window, name = '', looks: Look[] = TWO_LOOKS): Promise<void> {
  for (const look of looks) {
    await applyLook(window, look)
    expect(await axeViolations(window)).toEqual([])
    expect(await overflows(window)).toEqual([])
    if (look.viewport === PHONE) expect(await smallTargets(window)).toEqual([])
  }
  if (name) await savePictures(window, name)
}

/** Takes a picture of the page in each size and color under this name, if pictures are wanted. */
export async function savePictures(window: Window, name: string): Promise<void> {
  if (!PICTURES) return
  for (const look of ALL_LOOKS) {
    await applyLook(window, look)
    await savePicture(window, name, look)
  }
}

async function savePicture({ page }: Window, name: string, { viewport, colorScheme }: Look): Promise<void> {
  if (!PICTURES) return
  await mkdir(PICTURES, { recursive: true })
  const path = join(PICTURES, `${name}-${viewport.width}-${colorScheme}.png`)
  await page.screenshot({ path, fullPage: true, caret: 'initial' })
}

/** The caret as it is: hiding it would take a style that our policy forbids. */
const ONE_PIXEL = { clip: { x: 0, y: 0, width: 1, height: 1 }, caret: 'initial', timeout: 10_000 } as const

/**
 * Changes size and colors of the window, and ends what moves: colors on their way from one scheme to the other
 * belong to neither.
 */
export async function applyLook({ page }: Window, { viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  const isApplied = () =>
    page.evaluate(
      // A page of another maker, as the provider of age checks, has no such mark.
      (wanted) => (document.documentElement.dataset.mantineColorScheme ?? wanted) === wanted,
      colorScheme,
    )
  let attempts = 0
  await waitUntil(
    async () => {
      if (await isApplied()) return true
      attempts += 1
      // A page hears of other colors when it draws, which a busy browser puts off, and once only: it is told again.
      if (attempts % 40 === 0) {
        await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' })
        await page.emulateMedia({ colorScheme })
      }
      if (attempts % 80 === 0) await page.screenshot(ONE_PIXEL).catch(() => {})
      return false
    },
    // It draws within a frame or two.
    { interval: 12 },
  )
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
  })
}

/** Answers how much wider than the window the page is, in words; nothing when it fits. */
export async function overflows({ page }: Window): Promise<string[]> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [scrollWidth, clientWidth]
  })
  return Number(content) > Number(window) ? [`${content} pixels wide`] : []
}

/** What axe-core finds on the page as it stands, each with the place and the reason. */
export async function axeViolations({ page }: Window): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    // By itself it parses all styles first, for a rule that is off.
    preload: { assets: ['media'] },
  }
  return page.evaluate(async (options) => {
    const { axe: examiner } = globalThis as unknown as { axe: typeof axe }
    const examine = async (selectors: boolean) => (await examiner.run({ ...options, selectors })).violations
    // Where everything stands that is as it should be takes a quarter of the time, and nobody reads it.
    const found = await examine(false)
    if (found.length === 0) return []
    const placed = await examine(true)
    // What the second look no longer sees was there all the same, but nobody knows where.
    const gone = found.filter(({ id }) => placed.every((one) => one.id !== id))
    return [
      ...placed.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
      ),
      ...gone.map(({ id, help }) => `${id} at first: ${help}`),
    ]
  }, options)
}

/** Pixels that a finger needs on each side (WCAG 2.5.5). */
const FINGER = 44

/**
 * Answers what can be pressed but is smaller than a finger, in words. A box is as large as its label, a field as its
 * frame; a link within a sentence is as high as its line (WCAG 2.5.5, Inline). What is larger than it looks is tried at the edges.
 */
export async function smallTargets({ page }: Window): Promise<string[]> {
  return page.evaluate((finger) => {
    const pressable =
      'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role="button"], [role="switch"]'
    const found: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>(pressable)) {
      const style = getComputedStyle(element)
      const visible = element.checkVisibility({ visibilityProperty: true }) && style.pointerEvents !== 'none'
      if (!visible || element.matches(':disabled') || element.closest('[inert], [aria-hidden="true"]'))
        continue
      const inLine =
        style.display === 'inline' &&
        element.parentElement?.textContent?.trim() !== element.textContent?.trim()
      if (inLine) continue
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
      const frame = element.closest('[class*="Input-input"]') ?? element
      const boxes = [element, frame, ...labels].map((one) => one.getBoundingClientRect())
      // What only a keyboard finds, as the way past the navigation, is as small as a point until it has the focus.
      if (boxes.every(({ width, height }) => width <= 1 || height <= 1)) continue
      const fits = (side: 'width' | 'height') =>
        Math.max(...boxes.map((box) => Math.round(box[side]))) >= finger
      if (fits('width') && fits('height')) continue
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const reach = finger / 2 - 1
      const hits = (x: number, y: number) => {
        const hit = document.elementFromPoint(left + width / 2 + x, top + height / 2 + y)
        return hit !== null && (element.contains(hit) || labels.some((label) => label.contains(hit)))
      }
      const wide = fits('width') || (hits(-reach, 0) && hits(reach, 0))
      const high = fits('height') || (hits(0, -reach) && hits(0, reach))
      if (wide && high) continue
      const name = element.ariaLabel ?? element.textContent?.trim().slice(0, 40) ?? ''
      found.push(`${element.tagName.toLowerCase()} “${name}” ${Math.round(width)}×${Math.round(height)}`)
    }
    return [...new Set(found)]
  }, FINGER)
}

/** How much lighter the edge of a field must be than what is around it, or darker (WCAG 1.4.11). */
const EDGE_CONTRAST = 3
/** Pixels by which a frame is at most higher than the field in it. */
const FRAME_ROOM = 32

/** Answers the fields and boxes whose edge isn’t drawn, or can hardly be seen against what they stand on, in words. */
export async function faintEdges({ page }: Window): Promise<string[]> {
  return page.evaluate(
    ([least, room]) => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      const rgba = (color: string) => {
        if (!canvas) throw new Error('no canvas')
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        return [...canvas.getImageData(0, 0, 1, 1).data]
      }
      const luminance = (color: string) => {
        const [red = 0, green = 0, blue = 0] = rgba(color).map((value) => {
          const share = value / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const behind = (element: Element | null): string => {
        if (!element) return getComputedStyle(document.documentElement).backgroundColor
        const { backgroundColor } = getComputedStyle(element)
        return rgba(backgroundColor)[3] === 255 ? backgroundColor : behind(element.parentElement)
      }
      const fields = 'input:not([type="hidden"], [type="radio"]), textarea, select'
      const isDrawn = (element: Element) => {
        const { borderTopWidth, borderTopColor } = getComputedStyle(element)
        return Number.parseFloat(borderTopWidth) > 0 && rgba(borderTopColor)[3] === 255
      }
      // The field itself, or the frame close around it, as of a field that holds tags.
      const edgeOf = (field: Element) => {
        const highest = field.getBoundingClientRect().height + room
        let element: Element | null = field
        while (element && element.getBoundingClientRect().height <= highest) {
          if (isDrawn(element)) return element
          element = element.parentElement
        }
        return null
      }
      return [...document.querySelectorAll<HTMLElement>(fields)].flatMap((field) => {
        const { opacity, appearance } = getComputedStyle(field)
        const { width, height } = field.getBoundingClientRect()
        const shown = field.checkVisibility() && opacity !== '0' && width > 1 && height > 1
        if (!shown || appearance === 'auto' || field.matches(':disabled')) return []
        const name = field.ariaLabel ?? field.getAttribute('name') ?? field.id
        const edged = edgeOf(field)
        // What is only to be read needs no edge.
        if (!edged) return field.matches('[readonly]:not([type="checkbox"])') ? [] : [`“${name}” has no edge`]
        const edge = luminance(getComputedStyle(edged).borderTopColor)
        const ground = luminance(behind(edged.parentElement))
        const contrast = (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05)
        return contrast < least ? [`the edge of “${name}” has a contrast of ${contrast.toFixed(1)}`] : []
      })
    },
    [EDGE_CONTRAST, FRAME_ROOM] as const,
  )
}

/** How many elements' styles the browser works out anew while this is done; one counts as often as that happens to it. */
export async function stylesWorkedOut({ page, context }: Window, act: () => Promise<void>): Promise<number> {
  const session = await context.newCDPSession(page)
  let count = 0
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args } of value as unknown as { name: string; args?: { elementCount?: number } }[])
      if (name === 'UpdateLayoutTree') count += args?.elementCount ?? 0
  })
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } })
  await act()
  const told = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await told
  await session.detach()
  return count
}
