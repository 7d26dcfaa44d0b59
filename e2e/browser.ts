import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { giveBackAll, lendPage } from './lent-pages.ts'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** What a story needs of a browser: windows of its own. */
export type StoryBrowser = Pick<Browser, 'newContext' | 'close'> & {
  /** A page for a window, which others may have had; none where each window is to be a browser that was never here. */
  lend?(options: Parameters<typeof lendPage>[1]): Promise<Page>
}

/**
 * No page of a story lives long enough to gain by optimized code; making it takes a seventh of a browser's work. No story
 * depends on a process per site, which takes a thirtieth of it.
 */
const SHORT_LIVED = [
  '--js-flags=--no-opt --no-maglev --single-threaded-gc',
  '--disable-site-isolation-trials',
]

let running: Promise<Browser> | undefined

/**
 * A browser for one story. The stories of a process have one Chromium, which ends with the process: starting it takes as
 * long as opening several pages. `close` closes the story's own contexts, and its windows.
 */
export async function openBrowser({ fresh = false } = {}): Promise<StoryBrowser> {
  running ??= launchBrowser({ flags: SHORT_LIVED }).catch((error) => {
    running = undefined
    throw error
  })
  const chromium = await running
  if (!chromium.isConnected()) {
    running = undefined
    return openBrowser({ fresh })
  }
  const contexts: BrowserContext[] = []
  return {
    ...(fresh ? {} : { lend: (options) => lendPage(chromium, options) }),
    async newContext(options) {
      const context = await chromium.newContext(options)
      contexts.push(context)
      return context
    },
    async close() {
      await Promise.all([giveBackAll(), ...contexts.map((context) => context.close())])
    },
  }
}

type Executable = { path: string; environment: Record<string, string> }

/** Starts a real Chromium, with these flags: an installed one (or `CHROMIUM_PATH`), else the one inside an npm package. */
export async function launchBrowser({ flags = [] }: { flags?: string[] } = {}): Promise<Browser> {
  const { path, environment } = await findChromium()
  return chromium.launch({
    executablePath: path,
    headless: true,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...flags,
    ],
    env: { ...(process.env as Record<string, string>), ...environment },
  })
}

async function findChromium(): Promise<Executable> {
  const installed = [process.env.CHROMIUM_PATH, ...INSTALLED].find((path) => path && existsSync(path))
  return installed ? { path: installed, environment: {} } : unpackedChromium()
}

/**
 * Unpacks the packaged Chromium into a folder of this user's and this version's own, which nobody else can fill. Where
 * several processes do so at once, each has its own until it is whole, and the first one whole is everybody's.
 */
async function unpackedChromium(): Promise<Executable> {
  const root = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const folder = join(cacheFolder(), `fanfare-chromium-${version}-whole`)
  if (!existsSync(folder)) {
    await mkdir(cacheFolder(), { recursive: true })
    const own = await mkdtemp(`${folder}-`)
    await unpackInto(own, join(root, 'bin'))
    await rename(own, folder).catch(async (error: NodeJS.ErrnoException) => {
      await rm(own, { recursive: true, force: true })
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  }
  return {
    path: join(folder, 'chromium'),
    // The package brings libraries (NSS) and fonts for machines that have none; the system's come first.
    environment: {
      LD_LIBRARY_PATH: [process.env.LD_LIBRARY_PATH, join(folder, 'al2023', 'lib')].filter(Boolean).join(':'),
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
    },
  }
}

function cacheFolder(): string {
  const home = homedir()
  return existsSync(home) ? join(home, '.cache') : tmpdir()
}

/**
 * The package unpacks to the system's temporary folder, so that is what it is told our folder is when it begins. No longer:
 * servers that are started meanwhile have it from us.
 */
async function unpackInto(folder: string, packaged: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium')
  for (const archive of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']) {
    const before = process.env.TMPDIR
    process.env.TMPDIR = folder
    const unpacked = inflate(join(packaged, archive))
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await unpacked
  }
}
