import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib'
import { root, runTool, say, secondsSince } from './command.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzipCompress)
const BROTLI_QUALITY = constants.BROTLI_MAX_QUALITY
const dist = join(root, 'client', 'dist')
const hashFile = join(dist, '.hash')

/**
 * Builds the client into `client/dist` when what it is made of changed since the last build.
 * The new build takes the place of the old one only when it is whole.
 * @param report told in sentences when it begins and ends, and with `isFailure` why it failed
 * @returns false when the build failed, after saying why
 */
export async function buildClientIfChanged(
  report: (sentence: string, isFailure?: boolean) => void = say,
): Promise<boolean> {
  const hash = hashOfSources()
  if (existsSync(hashFile) && (await readFile(hashFile, 'utf8')) === hash) return true
  const start = performance.now()
  report('Building the client, which is needed once …')
  const fresh = join(root, 'node_modules', '.cache', `client-${process.pid}`)
  await mkdir(fresh, { recursive: true })
  try {
    const result = await runTool(
      'vite/bin/vite.js',
      ['build', 'client', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'],
      // Vite builds for development when NODE_ENV says so, as it does under test runners.
      { env: { NODE_ENV: 'production' } },
    )
    if (!result.ok) {
      report(`${result.output}\nThe client could not be built: see the message above.`, true)
      return false
    }
    await compress(fresh)
    await keepPrevious(dist, fresh)
    await writeFile(join(fresh, '.hash'), hash)
    await rm(dist, { recursive: true, force: true })
    await rename(fresh, dist)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  report(`The client is built (${secondsSince(start)}).`)
  return true
}

/** Names of files of the build before, which pages that were opened before the update still ask for. */
const PREVIOUS = '.previous.json'

/**
 * Copies the assets of the build that is there into the fresh one, so that a page that is open during an update keeps
 * working. Only of the last build: what that one had kept goes.
 */
export async function keepPrevious(there: string, fresh: string): Promise<void> {
  const read = await readFile(join(there, PREVIOUS), 'utf8').catch(() => '[]')
  const older = new Set<string>(JSON.parse(read))
  const kept = globSync('assets/**/*', { cwd: there })
    .filter((path) => statSync(join(there, path)).isFile())
    .filter((path) => !older.has(path) && !existsSync(join(fresh, path)))
  for (const path of kept) {
    await mkdir(dirname(join(fresh, path)), { recursive: true })
    await copyFile(join(there, path), join(fresh, path))
  }
  await writeFile(join(fresh, PREVIOUS), JSON.stringify(kept))
}

/** Writes each text twice more, for browsers that take Brotli or gzip: the server sends what lies there. */
async function compress(folder: string): Promise<void> {
  const texts = globSync('**/*.{js,css,svg,webmanifest}', { cwd: folder })
  await Promise.all(
    texts.map(async (path) => {
      const text = await readFile(join(folder, path))
      const [brotli, gzip] = await Promise.all([
        toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
        toGzip(text),
      ])
      await Promise.all([
        writeFile(join(folder, `${path}.br`), brotli),
        writeFile(join(folder, `${path}.gz`), gzip),
      ])
    }),
  )
}

/** A hash of the names and contents of all that the client is built from. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(['client/**/*', 'contract/**/*', 'package-lock.json', 'tsconfig.json'], {
    cwd: root,
  })
    .filter((path) => !path.startsWith(join('client', 'dist')) && !/\.test\.tsx?$/.test(path))
    .filter((path) => statSync(join(root, path)).isFile())
    .sort()
  for (const path of files) {
    hash.update(
      createHash('sha256')
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .digest(),
    )
  }
  return hash.digest('hex')
}
