const maxKeyLength = 512
/** No segment starts with a dot: nothing leads upwards, and what is not complete can hide behind one. */
const safeKey = /^[a-z0-9_-][a-z0-9._-]*(?:\/[a-z0-9_-][a-z0-9._-]*)*$/

/** Throws for a key that is not as `Storage` wants its keys, before anything is done with it. */
export function requireSafeKey(key: string): void {
  if (key.length > maxKeyLength || !safeKey.test(key))
    throw new Error(`not a safe storage key: ${JSON.stringify(key)}`)
}
