/** How long a call may take, in milliseconds. */
export const TIME_LIMIT_MS = 30_000

/** Aborts what takes too long: `signal` aborts it; call `end` when it is done. */
export type TimeLimit = {
  signal: AbortSignal
  /** There was progress: the time limit starts over. */
  renew(): void
  isOver(): boolean
  end(): void
}

/** Allows this many milliseconds from now; the signal also aborts when `outer` does. */
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
