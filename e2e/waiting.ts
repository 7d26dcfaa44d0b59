import { setTimeout as pause } from 'node:timers/promises'

type Truthy<Value> = Exclude<Value, false | 0 | '' | null | undefined>

/** After which nothing will come anymore, in milliseconds; how long something takes on a busy machine decides nothing. */
const PATIENCE_MS = 150_000

/** Reads again and again until there is something, which it answers. Times in milliseconds; throws when it takes too long. */
export async function waitUntil<Value>(
  read: () => Value | Promise<Value>,
  { timeout = PATIENCE_MS, interval = 50 }: { timeout?: number; interval?: number } = {},
): Promise<Truthy<Value>> {
  const end = performance.now() + timeout
  for (;;) {
    const value = await read()
    if (value) return value as Truthy<Value>
    if (performance.now() > end) throw new Error(`nothing within ${timeout} ms: ${read}`)
    await pause(interval)
  }
}
