import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepPrevious } from './client-build.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-build-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A build of these assets. */
async function build(name: string, assets: string[]): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, 'assets'), { recursive: true })
  for (const asset of assets) await writeFile(join(path, 'assets', asset), name)
  return path
}

test('a page of the build before finds its files after an update, one of the build before that does not', async () => {
  const [first, second, third] = [
    await build('first', ['page-1.js', 'same.js']),
    await build('second', ['page-2.js', 'same.js']),
    await build('third', ['page-3.js', 'same.js']),
  ]
  await keepPrevious(first, second)
  expect(existsSync(join(second, 'assets', 'page-1.js'))).toBe(true)
  expect(await readFile(join(second, 'assets', 'same.js'), 'utf8')).toBe('second')
  await keepPrevious(second, third)
  expect(existsSync(join(third, 'assets', 'page-2.js'))).toBe(true)
  expect(existsSync(join(third, 'assets', 'page-1.js'))).toBe(false)
})

test('the first build keeps nothing and does not fail', async () => {
  const first = await build('first', ['page-1.js'])
  await keepPrevious(join(folder, 'none'), first)
  expect(existsSync(join(first, 'assets', 'page-1.js'))).toBe(true)
})
