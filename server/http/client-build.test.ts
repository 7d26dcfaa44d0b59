import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../testing/harness.ts'

let folder: string
let dist: string
let harness: Harness
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-build-'))
  dist = join(folder, 'dist')
  await build('first', 1)
  harness = await startHarness({ clientDir: dist })
})
afterAll(async () => {
  await harness?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a build whose documents and scripts contain its name, this many seconds newer than the first. */
async function build(name: string, second: number): Promise<void> {
  const fresh = join(folder, name)
  await mkdir(join(fresh, 'assets'), { recursive: true })
  const document = `<!doctype html><html><head><title>Fanfare</title><style>@font-face{src:url(/assets/face-latin-wght-a1.woff2)}@font-face{src:url(/assets/face-latin-ext-wght-b2.woff2)}</style><script type="module" src="/assets/${name}.js"></script></head><body><div id="root"></div></body></html>`
  for (const file of ['index.html', 'card-frame.html']) {
    await writeFile(join(fresh, file), document)
    await utimes(join(fresh, file), second, second)
  }
  await writeFile(join(fresh, 'assets', `${name}.js`), `"${name}"`)
  await rm(dist, { recursive: true, force: true })
  await rename(fresh, dist)
}

const get = (path: string) => fetch(harness.origin + path)

test('a document without a first screen names the fonts, so that they don’t come after what they are for', async () => {
  const html = await (await get('/dashboard')).text()
  expect(html.match(/<link rel="preload" as="font"[^>]*>/g)).toEqual([
    '<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/face-latin-wght-a1.woff2" />',
  ])
})

test('a build that takes the place of another is served by the server that runs', async () => {
  expect(await (await get('/')).text()).toContain('/assets/first.js')
  expect((await get('/assets/second.js')).status).toBe(404)

  const served = async () => (await get('/api/config')).headers.get('x-client-build')
  expect(await served()).toBe('/assets/first.js')

  await build('second', 2)
  for (const page of ['/', '/discover', '/card-frame']) {
    const html = await (await get(page)).text()
    expect(html, page).toContain('/assets/second.js')
    expect(html, page).not.toContain('/assets/first.js')
  }
  expect(await served()).toBe('/assets/second.js')
  expect((await get('/')).headers.get('x-client-build')).toBeNull()
  const script = await get('/assets/second.js')
  expect([script.status, await script.text()]).toEqual([200, '"second"'])
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await get('/assets/..%2findex.html')).status).toBeGreaterThanOrEqual(400)
  expect((await get('/assets/third.js')).status).toBe(404)

  // Between two builds there is none, and pages stay the same.
  await rm(dist, { recursive: true })
  expect(await (await get('/')).text()).toContain('/assets/second.js')
})

test('a browser gets the document of an unknown page at an address that can’t be decoded, a call its refusal', async () => {
  const asked = async (path: string, accept: string, method = 'GET') => {
    const { status, headers } = await fetch(harness.origin + path, { method, headers: { accept } })
    return [status, headers.get('content-type'), headers.get('content-security-policy')?.includes('nonce-')]
  }
  const document = [404, 'text/html; charset=utf-8', true]
  const refusal = [400, 'application/json; charset=utf-8', false]
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'
  for (const path of ['/users/%ff', '/%E0%A4%A?ref=%ff', '/nothing'])
    expect(await asked(path, browser), path).toEqual(document)
  expect(await asked('/users/%ff', browser, 'HEAD')).toEqual(document)
  expect(await asked('/users/%ff', browser, 'POST')).toEqual(refusal)
  expect(await asked('/users/%ff', '*/*')).toEqual(refusal)
  for (const path of ['/api/users/u/%ff', '/files/%ff', '/sandbox/mail/%ff'])
    expect(await asked(path, browser), path).toEqual(refusal)
})
