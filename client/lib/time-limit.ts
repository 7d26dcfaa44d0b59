/** How long a call may take, in milliseconds. */
export const TIME_LIMIT_MS = 30_000

/** What ends something that takes too long: `signal` stops it, and `end` belongs after it. */
export type TimeLimit = {
  signal: AbortSignal
  /** Something went on: the time begins again. */
  renew(): void
  isOver(): boolean
  end(): void
}

/** Allows so many milliseconds from now; the signal stops as well when `outer` does. */
export function timeLimit(milliseconds: number, outer?: AbortSignal): TimeLimit {
  const limit = new AbortController()
  const begin = () => setTimeout(() => limit.abort(), milliseconds)
  let timer = begin()
  return {
    signal: outer ? AbortSignal.any([outer, limit.signal]) : limit.signal,
    renew: () => {
      clearTimeout(timer)
      timer = begin()
    },
    isOver: () => limit.signal.aborted,
    end: () => clearTimeout(timer),
  }
}
