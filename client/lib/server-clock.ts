/** By how many milliseconds the server's clock is ahead of the browser's. */
let aheadMs = 0

/** Takes the server's time from an answer. */
export function hearTime({ headers }: Response): void {
  const time = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(time)) aheadMs = time - Date.now()
}

/** The present by the server's clock, to the second, which decides what is over: a browser's may be wrong, and the sandbox's is moved. */
export function serverNow(): Date {
  return new Date(Date.now() + aheadMs)
}
