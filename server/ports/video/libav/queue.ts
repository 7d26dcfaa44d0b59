/** Work of which only so much may be done at once; the rest waits for its turn. */
export type Line = {
  /** Rejects without starting the work once the line is closed. */
  run<Made>(work: () => Promise<Made>): Promise<Made>
  /** Resolves when nothing is at work any more. */
  idle(): Promise<void>
}

/** Makes a line for `atOnce` works at a time, until `closing` aborts. */
export function createQueue(atOnce: number, closing: AbortSignal): Line {
  const running = new Set<Promise<unknown>>()
  const waiting: Array<() => void> = []
  closing.addEventListener('abort', () => {
    for (const resume of waiting.splice(0)) resume()
  })
  return {
    async run(work) {
      while (running.size >= atOnce && !closing.aborted) {
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      if (closing.aborted) throw new Error('media processing was stopped')
      const made = work()
      running.add(made)
      try {
        return await made
      } finally {
        running.delete(made)
        waiting.shift()?.()
      }
    },
    async idle() {
      await Promise.allSettled([...running])
    },
  }
}
