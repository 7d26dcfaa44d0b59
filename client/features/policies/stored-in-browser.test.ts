import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REFERRAL_PARAMETERS } from '../../../contract/constants.ts'
import { STORED_IN_BROWSER } from './stored-in-browser.ts'

const client = join(import.meta.dirname, '..', '..')

/** Files of the client that write to the browser's storage, with their keys where those stand in them as text. */
function written(): { file: string; keys: string[] }[] {
  return globSync('{app,features,lib,ui}/**/*.{ts,tsx}', { cwd: client, exclude: ['**/*.test.*'] })
    .map((file) => ({ file, code: readFileSync(join(client, file), 'utf8') }))
    .filter(({ file, code }) => file !== 'lib/storage.ts' && /\.setItem\(/.test(code))
    .map(({ file, code }) => ({
      file,
      keys: [...code.matchAll(/(?:\b(?:\w*KEY|STORED) = |kept\(|=> )['`]([\w.-]+)/g)].map(
        ([, key = '']) => key,
      ),
    }))
}

test('the privacy policy names everything that pages keep in the browser, and nothing else', () => {
  const files = written()
  const keys = files.flatMap((one) => one.keys)
  const listed = STORED_IN_BROWSER.flatMap((one): string[] => [...one.keys])
  expect([...keys, ...Object.values(REFERRAL_PARAMETERS)].sort()).toEqual(listed.sort())
  // A file whose keys stand elsewhere would go unseen.
  expect(files.filter((one) => one.keys.length === 0).map(({ file }) => file)).toEqual(['lib/referral.ts'])
})
