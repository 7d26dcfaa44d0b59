import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

/** The secret that makes what is new, and the older ones that are still read. */
export type Secrets = { secretKey: string; previousKeys: string[] }

/**
 * The operator's secrets, else the installation's own, which is made at the first start: the first line of
 * `secret.key` in the data folder. Further lines are older secrets.
 */
export async function readSecrets(config: Config): Promise<Secrets> {
  const previous = config.SECRET_KEY_PREVIOUS
  if (config.SECRET_KEY) return { secretKey: config.SECRET_KEY, previousKeys: previous }
  const path = join(config.DATA_DIR, 'secret.key')
  if (!existsSync(path))
    await writeFile(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  const [secretKey = '', ...older] = (await readFile(path, 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return { secretKey, previousKeys: [...older, ...previous] }
}

/**
 * What the sandbox's age check and the server sign with: the installation's own, so that nobody whom the sandbox keeps
 * out can make up a result.
 */
export function ageSandboxSecret({ secretKey }: Secrets): string {
  return Buffer.from(hkdfSync('sha256', secretKey, 'fanfare', 'age sandbox', 32)).toString('base64url')
}
