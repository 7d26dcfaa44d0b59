import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { awaitedScreen, FIRST_LOOK, firstScreen, readFirstLook } from './first-look.ts'
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

const look = {
  gate: '<main>gate</main>',
  bar: '<header>bar</header>',
  awaitedBar: '<header>who?</header>',
  headings: { '/login': '<h1>Log in</h1>' },
}
const screen = { pattern: '/login', seen: 'page', content: null, banner: false } as const
const person = { username: 'mara', firstName: '', profileImage: null, profileHeroImage: null }

test('a page begins with the bar, and with its heading where that is known', () => {
  const seen = '<div class="first-look" data-first-look>'
  expect(firstScreen(look, screen).html).toBe(`${seen}<header>bar</header><h1>Log in</h1></div>`)
  expect(firstScreen(look, { ...screen, pattern: '/go/:code' }).html).toBe(
    `${seen}<header>bar</header></div>`,
  )
  expect(firstScreen(look, { ...screen, seen: 'gate' }).html).toBe('<main>gate</main>')
  expect(firstScreen(look, { ...screen, seen: 'withheld' }).html).toBe('')
})

test('somebody logged in meets a bar of their own, with the place of the banner', () => {
  expect(awaitedScreen(look, { banner: false })).toBe('<div class="first-look"><header>who?</header></div>')
  expect(awaitedScreen(look, { banner: true })).toContain('data-banner')
  expect(awaitedScreen({ ...look, awaitedBar: '' }, { banner: true })).toBe('')
})

test('a profile begins with its names, and with the pictures that it has', () => {
  const drawn = (profile: typeof person | Record<keyof typeof person, string>) =>
    firstScreen(look, { ...screen, pattern: '/users/:username', content: { kind: 'profile', profile } }).html
  const bare = drawn(person)
  expect(bare).toContain('<h1 class="first-name">mara</h1>')
  expect(bare).toContain('>M</span>')
  expect(bare).not.toContain('<img')
  const full = drawn({
    username: 'mara',
    firstName: '<Mara>',
    profileImage: '/face',
    profileHeroImage: '/cover',
  })
  expect(full).toContain('<h1 class="first-name">&lt;Mara&gt;</h1><p>@mara</p>')
  expect([...full.matchAll(/src="([^"]+)"/g)].map(([, address]) => address)).toEqual(['/cover', '/face'])
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
    awaitedBar: '',
    headings: {},
  })
  await rm(dir, { recursive: true })
})
