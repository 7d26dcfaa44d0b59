import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const MANIFEST = join(import.meta.dirname, '..', 'client', 'dist', '.vite', 'manifest.json')

type Chunk = { name?: string; file: string; imports?: string[] }

const readManifest = () => JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, Chunk>

function chunkOf(manifest: Record<string, Chunk>, name: string): Chunk {
  const chunk = Object.values(manifest).find((one) => one.name === name && one.file.endsWith('.js'))
  if (!chunk) throw new Error(`There is no chunk ${name}.`)
  return chunk
}

/** The chunks that this one imports, as the manifest names them, beside the entry. */
export function importedBy(name: string): string[] {
  return (chunkOf(readManifest(), name).imports ?? []).filter((key) => key !== 'index.html')
}

/** Matches the addresses of the chunks that the build calls by these names; their files are called by their hashes. */
export function addressOfChunk(...names: string[]): RegExp {
  const manifest = readManifest()
  const files = names.map((name) => chunkOf(manifest, name).file)
  return new RegExp(`/(${files.join('|')})$`)
}
