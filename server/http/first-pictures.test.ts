import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIRST_LOOK, readFirstLook } from './first-look.ts'
import { drawItem, drawWall, type FirstContent } from './first-pictures.ts'

const FOLDER = '/files/media/0190a0a0-0000-7000-8000-000000000000/1780000000.signature/'
type Item = Extract<FirstContent, { kind: 'item' }>['item']
const item: Item = {
  _id: '0190a0a0-0000-7000-8000-000000000000',
  username: 'mara',
  type: 'image',
  url: `${FOLDER}w640.webp`,
  widths: [320, 640],
  title: 'Low tide',
  width: 640,
  height: 480,
  preview: '',
}
const locked: Item = { ...item, url: undefined, widths: [], locked: true }

test('a wall has its first eight pictures in every width, and a place for each in every size of window', () => {
  const items = Array.from({ length: 15 }, () => item)
  const { html, css } = drawWall({ kind: 'wall', items, creators: true, tags: false }, '<h1>Discover</h1>')
  expect(html.match(/<img /g)).toHaveLength(8)
  expect(html).toContain(`srcset="${FOLDER}w320.webp 320w, ${FOLDER}w640.webp 640w"`)
  expect(html).toContain('<div class="first-tools" data-creators></div>')
  // The policy allows no style in an element.
  expect(html).not.toContain('style=')
  expect(css.match(/@media/g)).toHaveLength(4)
  expect(css).toContain('.first-tile:nth-child(2){grid-area:1/2/span 45}')
})

test.each([
  ['locked', locked],
  ['an external gif', { ...item, redGif: 'https://www.redgifs.com/ifr/x' }],
])('what is %s has its box and title, and no picture', (_, shown) => {
  const { html, css } = drawItem({ kind: 'item', item: shown })
  expect(html).toContain('<h1 class="first-title">Low tide</h1>')
  expect(html).not.toMatch(/<img|\/files\//)
  expect(css).toBe(`.first-box{aspect-ratio:${4 / 3};--ratio:${4 / 3}}`)
  const wall = drawWall({ kind: 'wall', items: [shown], creators: false, tags: false }, '')
  expect(wall.html).not.toMatch(/<img|\/files\//)
})

test('a title never breaks out of its element', () => {
  const title = '</h1><script>alert(1)</script>'
  const { html } = drawItem({ kind: 'item', item: { ...item, title } })
  expect(html).not.toContain('<script>')
  expect(html).toContain('&lt;script&gt;')
})

test('a build that draws less than this one leaves the rest empty', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'first-look-'))
  await writeFile(join(dir, FIRST_LOOK), JSON.stringify({ gate: '<h1>{{brand}}</h1>', bar: '' }))
  expect(await readFirstLook(dir, 'A & B')).toEqual({
    gate: '<h1>A &amp; B</h1>',
    bar: '',
    landing: '',
    discover: '',
  })
  await rm(dir, { recursive: true })
})
