import { DatabaseSync } from 'node:sqlite'

/**
 * Takes the lock of a folder for as long as this process lives, or until it is released.
 * It is SQLite's file lock: the kernel frees it when the process dies in any way, so that it never becomes stale.
 * @param path of the lock file, which is created and stays empty
 * @returns how to release it; null when another holder has it
 */
export function takeLock(path: string): (() => void) | null {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // Not `exclusive`: of two that ask at once, each can then make the other fail.
    database.exec('begin immediate')
    held.add(database)
    return () => {
      held.delete(database)
      database.close()
    }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/** Holds on to them: a database that nobody refers to is closed, and its lock is gone. */
const held = new Set<DatabaseSync>()

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
