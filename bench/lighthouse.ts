import { createServer } from 'node:net'
import lighthouse from 'lighthouse'
import { launchBrowser } from '../e2e/browser.ts'
import { startFanfare } from '../e2e/fanfare.ts'
import { buildClientIfChanged } from '../scripts/client-build.ts'

/**
 * Lighthouse (mobile, simulated slow network and processor) with the sample data, of the gate as a new visitor sees it,
 * and of the front door and a profile behind it. Prints performance and what it is made of, the median of three runs:
 * `node bench/lighthouse.ts`, or of a running product `node bench/lighthouse.ts http://localhost:4000 /discover`.
 */
const RUNS = 3
const [givenOrigin, givenPath] = process.argv.slice(2)
const PROFILE = '/users/stella.nox'
if (!givenOrigin) await buildClientIfChanged()
const fanfare = givenOrigin ? null : await startFanfare({ SAMPLE_DATA: 'on' })
const origin = givenOrigin ?? fanfare?.origin ?? ''
const port = await freePort()
const browser = await launchBrowser(port)
try {
  const cookie = await confirmedAge()
  const pages = givenPath
    ? [{ name: givenPath, path: givenPath, cookie }]
    : [
        { name: 'the gate', path: PROFILE, cookie: '' },
        { name: 'the front door', path: '/', cookie },
        { name: 'a profile', path: PROFILE, cookie },
      ]
  for (const page of pages) {
    const runs = []
    for (let run = 0; run < RUNS; run++) runs.push(await measure(page))
    const median = runs.toSorted((a, b) => a.performance - b.performance)[Math.floor(RUNS / 2)]
    process.stdout.write(`${page.name}\n`)
    for (const [name, value] of Object.entries(median ?? {}))
      process.stdout.write(`  ${name.padEnd(28)} ${value}\n`)
  }
} finally {
  await browser.close()
  await fanfare?.dispose()
}

async function measure({ path, cookie }: { path: string; cookie: string }) {
  const result = await lighthouse(
    origin + path,
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
    'largest contentful paint, ms': Math.round(value('largest-contentful-paint')),
    'total blocking time, ms': Math.round(value('total-blocking-time')),
    'speed index, ms': Math.round(value('speed-index')),
    'layout shift': value('cumulative-layout-shift').toFixed(3),
    'bytes over the wire': value('total-byte-weight'),
  }
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
