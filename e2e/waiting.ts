import { setTimeout as pause } from 'node:timers/promises'

type Truthy<Value> = Exclude<Value, false | 0 | '' | null | undefined>

/** Reads again and again until there is something, which it answers. Times in milliseconds; throws when it takes too long. */
export async function waitUntil<Value>(
  read: () => Value | Promise<Value>,
  { timeout, interval }: { timeout: number; interval: number },
): Promise<Truthy<Value>> {
  const end = performance.now() + timeout
  for (;;) {
    const value = await read()
    if (value) return value as Truthy<Value>
    if (performance.now() > end) throw new Error(`nothing within ${timeout} ms: ${read}`)
    await pause(interval)
  }
}
