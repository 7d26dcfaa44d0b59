import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const MANIFEST = join(import.meta.dirname, '..', 'client', 'dist', '.vite', 'manifest.json')

/** Matches the addresses of the chunks that the build calls by these names; their files are called by their hashes. */
export function addressOfChunk(...names: string[]): RegExp {
  const chunks: { name?: string; file: string }[] = Object.values(JSON.parse(readFileSync(MANIFEST, 'utf8')))
  const files = names.map((name) => {
    const chunk = chunks.find((one) => one.name === name && one.file.endsWith('.js'))
    if (!chunk) throw new Error(`There is no chunk ${name}.`)
    return chunk.file
  })
  return new RegExp(`/(${files.join('|')})$`)
}
