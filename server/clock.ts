/** The one source of time. Tests and the sandbox can move it; nothing else reads the system's clock for a decision. */
export type Clock = {
  now(): Date
  /** Moves it forward by milliseconds, on top of what it was moved before. */
  advance(milliseconds: number): void
  /** Milliseconds it is ahead of the system's clock. */
  offset(): number
}

/** A clock that is so many milliseconds ahead of the system's. */
export function createClock(initialOffset = 0): Clock {
  let offset = initialOffset
  return {
    now: () => new Date(Date.now() + offset),
    advance: (milliseconds) => {
      offset += milliseconds
    },
    offset: () => offset,
  }
}
