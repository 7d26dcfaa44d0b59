import { createServer } from 'node:net'
import lighthouse from 'lighthouse'
import { launchBrowser } from '../e2e/browser.ts'
import { startProcess } from '../e2e/fanfare.ts'
import { buildClientIfChanged } from '../scripts/client-build.ts'
import { startPlainSite } from './paint/plain-site.ts'

/**
 * Lighthouse (mobile, simulated slow network and processor) with the sample data, of the gate as a new visitor sees it,
 * of the front door and a profile behind it, and of a blog's plain home in the same run. Prints performance and what it
 * is made of, the median of three runs, and the largest paint as a ratio to the plain home's:
 * `node bench/lighthouse.ts`, or of a running product `node bench/lighthouse.ts http://localhost:4000 /discover`.
 */
const RUNS = Number(process.env.BENCH_RUNS ?? 3)
const [givenOrigin, givenPath] = process.argv.slice(2)
const PROFILE = '/users/stella.nox'
const LARGEST_PAINT = 'largest contentful paint, ms'
if (!givenOrigin) await buildClientIfChanged()
const fanfare = givenOrigin ? null : await startProcess({ SAMPLE_DATA: 'on' })
const origin = givenOrigin ?? fanfare?.origin ?? ''
const plain = await startPlainSite()
const port = await freePort()
const browser = await launchBrowser({ flags: [`--remote-debugging-port=${port}`] })
try {
  const cookie = await confirmedAge()
  const ours = givenPath
    ? [{ name: givenPath, url: origin + givenPath, cookie }]
    : [
        { name: 'the gate', url: origin + PROFILE, cookie: '' },
        { name: 'the front door', url: `${origin}/`, cookie },
        { name: 'a profile', url: origin + PROFILE, cookie },
      ]
  const pages = [{ name: 'a plain home', url: `${plain.origin}/`, cookie: '' }, ...ours]
  const runs = new Map<string, Figures[]>(pages.map(({ name }) => [name, []]))
  // In turns, so that what else the machine does meets all of them alike.
  for (let run = 0; run < RUNS; run++)
    for (const page of pages) runs.get(page.name)?.push(await measure(page))
  const medians = new Map([...runs].map(([name, figures]) => [name, medianOf(figures)]))
  const plainPaint = medians.get('a plain home')?.[LARGEST_PAINT] ?? Number.NaN
  for (const [name, figures] of medians) {
    process.stdout.write(`${name}\n`)
    const ratio = (figures[LARGEST_PAINT] / plainPaint).toFixed(2)
    for (const [label, value] of Object.entries({ ...figures, 'largest paint to a plain home': ratio }))
      process.stdout.write(`  ${label.padEnd(30)} ${value}\n`)
  }
} finally {
  await browser.close()
  plain.server.close()
  await fanfare?.dispose()
}

type Figures = Awaited<ReturnType<typeof measure>>

async function measure({ url, cookie }: { url: string; cookie: string }) {
  const result = await lighthouse(
    url,
    { port, logLevel: 'error', onlyCategories: ['performance'], extraHeaders: { cookie } },
    { extends: 'lighthouse:default', settings: { formFactor: 'mobile', throttlingMethod: 'simulate' } },
  )
  if (!result) throw new Error('Lighthouse gave no result')
  const { audits, categories, runtimeError } = result.lhr
  if (runtimeError) throw new Error(runtimeError.message)
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN
  return {
    performance: Math.round(100 * (categories.performance?.score ?? 0)),
    'first contentful paint, ms': Math.round(value('first-contentful-paint')),
    [LARGEST_PAINT]: Math.round(value('largest-contentful-paint')),
    'total blocking time, ms': Math.round(value('total-blocking-time')),
    'speed index, ms': Math.round(value('speed-index')),
    'layout shift': value('cumulative-layout-shift').toFixed(3),
    'bytes over the wire': value('total-byte-weight'),
  }
}

/** Each figure's own median. */
function medianOf(runs: Figures[]): Figures {
  const middle = <Key extends keyof Figures>(key: Key): Figures[Key] =>
    runs.map((run) => run[key]).toSorted((one, other) => Number(one) - Number(other))[
      Math.floor(runs.length / 2)
    ] as Figures[Key]
  const keys = Object.keys(runs[0] ?? {}) as (keyof Figures)[]
  return Object.fromEntries(keys.map((key) => [key, middle(key)])) as Figures
}

/** The cookies of a visitor who has confirmed their age. */
async function confirmedAge(): Promise<string> {
  const { headers } = await fetch(`${origin}/api/users/age-verified`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
