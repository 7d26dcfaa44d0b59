import autocannon from 'autocannon'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
const ROUNDS = 3
const CONNECTIONS = 16

/** Two addresses that answer the same list, and the least ratio of their rates that is wanted. */
export type Comparison = {
  name: string
  bare: string
  fanfare: { url: string; headers: Record<string, string> }
  target: number
}

export type Result = { name: string; bare: number; fanfare: number; target: number }

/** Loads both in turn, several rounds, and takes the best of each: whatever else the machine does only slows it down. */
export async function compare({ name, bare, fanfare, target }: Comparison): Promise<Result> {
  const best = { name, bare: 0, fanfare: 0, target }
  const { headers } = fanfare
  // Long enough for the JIT compiler to have finished.
  await rate(bare, headers, SECONDS)
  await rate(fanfare.url, fanfare.headers, SECONDS)
  for (let round = 0; round < ROUNDS; round++) {
    best.bare = Math.max(best.bare, await rate(bare, headers, SECONDS))
    best.fanfare = Math.max(best.fanfare, await rate(fanfare.url, fanfare.headers, SECONDS))
  }
  return best
}

/** Answers per second; any refusal or error ends the run, as does a list that is empty. */
async function rate(url: string, headers: Record<string, string>, seconds: number): Promise<number> {
  const { items } = (await (await fetch(url, { headers })).json()) as { items?: unknown[] }
  if (items?.length === 0) throw new Error(`${url} answers no items`)
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds, workers: 1 })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} answered ${result.non2xx} refusals and ${result.errors} errors`)
  return result.requests.average
}

/** One line of the table. */
export function line({ name, bare, fanfare, target }: Result): string {
  const ratio = fanfare / bare
  const verdict = ratio >= target ? 'ok' : 'BELOW'
  return `${name.padEnd(40)} ${bare.toFixed(0).padStart(7)} ${fanfare.toFixed(0).padStart(9)} ${ratio.toFixed(2).padStart(7)} ${target.toFixed(2).padStart(8)}  ${verdict}\n`
}

export const heading = `${'list'.padEnd(40)} ${'bare/s'.padStart(7)} ${'Fanfare/s'.padStart(9)} ${'ratio'.padStart(7)} ${'at least'.padStart(8)}\n`
