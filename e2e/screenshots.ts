import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { sampleLogIns, samplePassword } from '../server/sample/people.ts'
import { launchBrowser } from './browser.ts'
import { startProcess } from './fanfare.ts'
import { showCardFields } from './paying.ts'

/**
 * Takes the README's pictures from the sample data: `npm run screenshots`, or with an origin that already runs and
 * a folder: `node e2e/screenshots.ts http://localhost:4000 ./shots [name …]`.
 */
const VIEWS = [
  { size: 'phone', width: 390, height: 844 },
  { size: 'wide', width: 1440, height: 900 },
] as const

type Role = 'visitor' | (typeof sampleLogIns)[number]['role']
type Shot = {
  name: string
  path: string
  as: Role
  scheme: 'dark' | 'light'
  sizes: readonly (typeof VIEWS)[number]['size'][]
  prepare?: (page: Page) => Promise<void>
}

const SHOTS: readonly Shot[] = [
  { name: 'landing', path: '/', as: 'visitor', scheme: 'dark', sizes: ['phone'] },
  { name: 'discover', path: '/discover', as: 'visitor', scheme: 'dark', sizes: ['wide'] },
  { name: 'profile', path: '/users/stella.nox', as: 'fan', scheme: 'dark', sizes: ['phone', 'wide'] },
  { name: 'dashboard', path: '/dashboard', as: 'creator', scheme: 'dark', sizes: ['wide'] },
  { name: 'earnings', path: '/dashboard/earnings', as: 'creator', scheme: 'light', sizes: ['phone', 'wide'] },
  {
    name: 'purchase',
    path: '/users/wren/buy',
    as: 'fan',
    scheme: 'dark',
    sizes: ['phone', 'wide'],
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^(buy|subscribe)/i })
        .first()
        .click()
      await showCardFields(page)
    },
  },
  { name: 'timeline', path: '/dashboard/timeline?view=week', as: 'creator', scheme: 'dark', sizes: ['wide'] },
  { name: 'schedule', path: '/dashboard/scheduleposts', as: 'creator', scheme: 'light', sizes: ['wide'] },
  { name: 'post-earnings', path: '/dashboard/postearnings', as: 'creator', scheme: 'light', sizes: ['wide'] },
]

const [givenOrigin, folder = join(import.meta.dirname, '..', 'docs', 'screenshots'), ...only] =
  process.argv.slice(2)
const fanfare = givenOrigin ? null : await startProcess({ SAMPLE_DATA: 'on' })
const origin = givenOrigin || (fanfare?.origin ?? '')
const browser = await launchBrowser()
try {
  await mkdir(folder, { recursive: true })
  for (const shot of SHOTS) if (only.length === 0 || only.includes(shot.name)) await take(browser, shot)
} finally {
  await browser.close()
  await fanfare?.dispose()
}

async function take(chromium: Browser, shot: Shot): Promise<void> {
  for (const { size, width, height } of VIEWS.filter((view) => shot.sizes.includes(view.size))) {
    const context = await chromium.newContext({
      viewport: { width, height },
      colorScheme: shot.scheme,
      deviceScaleFactor: size === 'phone' ? 2 : 1,
    })
    const page = await context.newPage()
    await page.request.post(`${origin}/api/users/age-verified`, { data: {} })
    const token = await tokenOf(page, shot.as)
    await context.addInitScript((value) => localStorage.setItem('token', JSON.stringify(value)), token ?? {})
    await page.goto(origin + shot.path)
    await page.waitForLoadState('networkidle')
    await shot.prepare?.(page)
    await page.evaluate(() => document.fonts.ready)
    const png = await page.screenshot({ animations: 'disabled' })
    await sharp(png)
      .webp({ quality: 86 })
      .toFile(join(folder, `${shot.name}-${size}.webp`))
    await context.close()
  }
}

async function tokenOf(page: Page, role: Role): Promise<string | null> {
  const logIn = sampleLogIns.find((one) => one.role === role)
  if (!logIn) return null
  const answer = await page.request.post(`${origin}/api/auth/login`, {
    data: { email: logIn.email, password: samplePassword },
  })
  return ((await answer.json()) as { token: string }).token
}
