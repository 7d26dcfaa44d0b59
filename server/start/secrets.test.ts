import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { ageSandboxSecret, readSecrets } from './secrets.ts'

test('an installation makes a secret of its own once, and its age sandbox signs with no other’s', async () => {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'fanfare-secrets-'))))
  const read = (folder = '') => readSecrets(readConfig({ DATA_DIR: folder }))
  const [first, second] = [await read(folders[0]), await read(folders[1])]
  expect(await read(folders[0])).toEqual(first)
  const signs = [first, second].map(ageSandboxSecret)
  expect(signs[0]).toMatch(/^[\w-]{43}$/)
  expect(signs[0]).not.toBe(signs[1])
  expect(await readFile(join(folders[0] ?? '', 'secret.key'), 'utf8')).not.toContain(signs[0])
  for (const folder of folders) await rm(folder, { recursive: true })
})
