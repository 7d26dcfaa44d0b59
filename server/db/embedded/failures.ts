import { statSync } from 'node:fs'
import { StartError } from '../../errors.ts'

/**
 * Turns what PostgreSQL's programs wrote before they gave up into one sentence for the operator.
 * @param output everything they wrote
 * @param folder the folder of the database
 */
export function fromPostgres(output: string, folder: string): StartError {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new StartError(`The disk of ${folder} is full: free some space and start again.`)
  }
  if (/error while loading shared libraries|cannot open shared object file|Library not loaded/.test(output)) {
    return new StartError(
      'The libraries of PostgreSQL are not in place: run `npm ci` again with its install scripts allowed, or set DATABASE_URL.',
    )
  }
  if (/could not map anonymous shared memory|Cannot allocate memory/.test(output)) {
    return new StartError(
      'There is too little memory for PostgreSQL: free about 300 MB, or set DATABASE_URL.',
    )
  }
  return new StartError(
    `PostgreSQL cannot start with the data in ${folder} (${reason(output)}): mend that, or restore a backup into an empty DATA_DIR.`,
  )
}

/**
 * Turns a refusal of the file system into one sentence for the operator; any other error stays as it is.
 * @param folder which could not be written
 */
export function fromFileSystem(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error instanceof StartError || !('code' in error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    return fromPostgres('No space left on device', folder)
  const unwritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ERR_SQLITE_ERROR']
  if (!unwritable.includes(String(error.code))) return error
  return unusable(folder)
}

/** A data folder that this user may not write, or that somebody else owns. */
export function unusable(folder: string): StartError {
  const owner = ownerOf(folder)
  const foreign = owner !== undefined && owner !== process.getuid?.()
  return new StartError(
    foreign
      ? `The data folder ${folder} belongs to another user (id ${owner}): start as that user, or choose another folder with DATA_DIR.`
      : `The data folder ${folder} cannot be written: give this user the right to write there, or choose another folder with DATA_DIR.`,
  )
}

/** PostgreSQL's own words: the first line that says what was fatal, else the last line. */
function reason(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const fatal =
    lines.find((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'it gave no reason'
  return fatal.replace(/^.*?\b(FATAL|PANIC|error):\s*/, '').trim()
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid
  } catch {
    return undefined
  }
}
