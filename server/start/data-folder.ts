import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '../errors.ts'

/** Makes the installation's data folder and proves that it can be written; throws a `StartError` that says what to do. */
export async function prepareDataFolder(path: string): Promise<void> {
  const probe = join(path, '.writable')
  try {
    await makeFolder(path)
    await writeFile(probe, '')
    await rm(probe)
  } catch (error) {
    throw new StartError(
      `The data folder ${path} can't be written (${(error as NodeJS.ErrnoException).code}): give this user the right to write there, or choose another folder with DATA_DIR.`,
    )
  }
}

/** Not mkdir's own `recursive`, which never ends where nothing can be created in a folder that exists, as in /proc. */
export async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return
  await makeFolder(dirname(path))
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
