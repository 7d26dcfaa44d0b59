import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A path for a new file in this folder, which is made when it is not there. */
export async function temporaryPath(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return join(folder, randomUUID())
}

/** Removes the files that a crash left behind, last written before `before` (milliseconds since 1970). */
export async function removeAbandoned(folder: string, before: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(nullWhenAbsent)
    if (found && found.mtimeMs < before) await rm(path, { force: true })
  }
}

/** Null for an error that says that there is no such file; throws any other. */
export function nullWhenAbsent(error: unknown): null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  throw error
}
