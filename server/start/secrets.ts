import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { StartError } from '../errors.ts'

const MIN_SECRET_LENGTH = 32

/** The secret that makes what is new, and the older ones that are still read. */
export type Secrets = { secretKey: string; previousKeys: string[] }

/**
 * The operator's secrets, else the installation's own, which is made at the first start: the first line of
 * `secret.key` in the data folder. Further lines are older secrets. Throws a `StartError` when one of them is too short,
 * as in a file that is cut off.
 */
export async function readSecrets(config: Config, now: Date): Promise<Secrets> {
  const previous = config.SECRET_KEY_PREVIOUS
  await removeLeftovers(config.DATA_DIR, now)
  if (config.SECRET_KEY) return { secretKey: config.SECRET_KEY, previousKeys: previous }
  const path = join(config.DATA_DIR, 'secret.key')
  if (!existsSync(path)) await makeSecret(config.DATA_DIR, path)
  const [secretKey = '', ...older] = (await readFile(path, 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  if ([secretKey, ...older].some((line) => line.length < MIN_SECRET_LENGTH)) {
    throw new StartError(
      `${path} is incomplete: each line must be a secret of at least ${MIN_SECRET_LENGTH} characters. Put the file back from a backup, or delete it if nothing was stored with it yet.`,
    )
  }
  return { secretKey, previousKeys: [...older, ...previous] }
}

/** The file is whole or absent after any crash, and that of the process that comes first. */
async function makeSecret(folder: string, path: string): Promise<void> {
  const written = `${path}.${randomUUID()}`
  await writeFile(written, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(written, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(written, { force: true })
  }
  await using names = await open(folder)
  await names.sync()
}

const LEFTOVER = /^secret\.key\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Longer than making a secret takes, so that none is removed that another process is making. */
const LEFT_AFTER_MS = 60_000

/** Removes the copies of a secret that a crash left while it was made. */
async function removeLeftovers(folder: string, now: Date): Promise<void> {
  // A command with the operator's own secret may run where there is no such folder.
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => LEFTOVER.test(one))) {
    const path = join(folder, name)
    // Gone meanwhile: another process made or removed it.
    const made = await stat(path).catch(() => null)
    if (made && now.getTime() - made.mtimeMs > LEFT_AFTER_MS) await rm(path, { force: true })
  }
}

/**
 * The secret with which the sandbox's age check and the server sign: the installation's own, so that nobody outside
 * the sandbox can make up a result.
 */
export function ageSandboxSecret({ secretKey }: Secrets): string {
  return Buffer.from(hkdfSync('sha256', secretKey, 'fanfare', 'age sandbox', 32)).toString('base64url')
}
