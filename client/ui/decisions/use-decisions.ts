import { useCallback, useEffect, useRef, useState } from 'react'

/** How long a decision can be taken back before it is sent, in milliseconds. */
export const UNDO_MS = 6000

/** What became of an item: decided but not sent yet, on its way, done, or still to be decided after a failure. */
export type Outcome =
  | { state: 'undoable' | 'sending' | 'done'; decision: string }
  | { state: 'failed'; error: unknown }

/**
 * Decisions that can be undone: each is sent a few seconds after it was made. Leaving the page sends at once what is
 * still waiting, as whoever leaves has made up their mind.
 */
export function useDecisions(send: (key: string, decision: string) => Promise<unknown>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const waiting = useRef(new Map<string, { decision: string; timer: ReturnType<typeof setTimeout> }>())
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })

  const set = useCallback((key: string, outcome: Outcome | null) => {
    setOutcomes((before) => {
      const next = new Map(before)
      if (outcome) next.set(key, outcome)
      else next.delete(key)
      return next
    })
  }, [])
  const sendNow = useCallback(
    (key: string) => {
      const held = waiting.current.get(key)
      if (!held) return
      clearTimeout(held.timer)
      waiting.current.delete(key)
      const { decision } = held
      set(key, { state: 'sending', decision })
      latest.current(key, decision).then(
        () => set(key, { state: 'done', decision }),
        (error: unknown) => set(key, { state: 'failed', error }),
      )
    },
    [set],
  )
  useEffect(() => {
    const sendAll = () => [...waiting.current.keys()].forEach(sendNow)
    addEventListener('pagehide', sendAll)
    return () => {
      removeEventListener('pagehide', sendAll)
      sendAll()
    }
  }, [sendNow])

  const decide = (key: string, decision: string) => {
    if (waiting.current.has(key)) return
    waiting.current.set(key, { decision, timer: setTimeout(() => sendNow(key), UNDO_MS) })
    set(key, { state: 'undoable', decision })
  }
  const undo = (key: string) => {
    clearTimeout(waiting.current.get(key)?.timer)
    // What is on its way already can't be taken back.
    if (waiting.current.delete(key)) set(key, null)
  }
  /** Takes back the newest decision that can be; answers whose it was. */
  const undoLast = () => {
    const key = [...waiting.current.keys()].at(-1)
    if (key !== undefined) undo(key)
    return key
  }
  return { outcomes, decide, undo, undoLast }
}
