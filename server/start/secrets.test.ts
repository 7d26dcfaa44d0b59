import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { StartError } from '../errors.ts'
import { ageSandboxSecret, readSecrets } from './secrets.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanfare-secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

const read = (from = folder) => readSecrets(readConfig({ DATA_DIR: from }), new Date())
const file = () => join(folder, 'secret.key')

test('an installation makes a secret of its own once, and its age sandbox signs with no other’s', async () => {
  const other = await mkdtemp(join(tmpdir(), 'fanfare-secrets-'))
  const [first, second] = [await read(), await read(other)]
  expect(await read()).toEqual(first)
  const signs = [first, second].map(ageSandboxSecret)
  expect(signs[0]).toMatch(/^[\w-]{43}$/)
  expect(signs[0]).not.toBe(signs[1])
  expect(await readFile(file(), 'utf8')).not.toContain(signs[0])
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  await rm(other, { recursive: true })
})

test('processes that start at once have one secret, and nothing else lies beside it', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => read()))
  expect(new Set(all.map(({ secretKey }) => secretKey)).size).toBe(1)
  expect(await readdir(folder)).toEqual(['secret.key'])
})

test('a copy that a crash left while the secret was made is removed by a later start, and nothing else', async () => {
  const [left, fresh, backup] = [`secret.key.${randomUUID()}`, `secret.key.${randomUUID()}`, 'secret.key.old']
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const name of [left, fresh, backup]) await writeFile(join(folder, name), 'a secret')
  for (const name of [left, backup]) await utimes(join(folder, name), hourAgo, hourAgo)
  await read()
  expect((await readdir(folder)).toSorted()).toEqual(['secret.key', fresh, backup].toSorted())
})

const whole = 'a secret of more than thirty-two characters'
const cut = 'a secret of thirty-one letters!'

test.each([
  ['nothing', ''],
  ['blank lines', '\n  \n'],
  ['a secret that was cut short', cut],
  ['an older secret that was cut short', `${whole}\n${cut}\n`],
  ['a newer secret that was cut short', `${cut}\n${whole}\n`],
])('a file with %s stops the start with what to do, and stays as it is', async (_, text) => {
  await writeFile(file(), text)
  await expect(read()).rejects.toThrow(StartError)
  await expect(read()).rejects.toThrow(/secret\.key .*at least 32 characters.*from a backup/)
  expect(await readFile(file(), 'utf8')).toBe(text)
})

test('older secrets are further lines', async () => {
  await writeFile(file(), `${whole}\n\n${whole} once\n`)
  expect(await read()).toEqual({ secretKey: whole, previousKeys: [`${whole} once`] })
})
