import { useCallback, useEffect, useRef, useState } from 'react'

/** How long a decision can be taken back before it is sent, in milliseconds. */
export const UNDO_MS = 6000

/** What became of an item: decided but not sent yet, on its way, done, or still to be decided after a failure. */
export type Outcome<Item> = { item: Item } & (
  | { state: 'undoable' | 'sending' | 'done'; decision: string }
  | { state: 'failed'; error: unknown }
)

type Waiting<Item> = { item: Item; decision: string; timer: ReturnType<typeof setTimeout> }

/**
 * Decisions that can be undone: each is sent a few seconds after it was made, about the item as it was then, whatever
 * is listed by now. Leaving the page sends what still waits at once: the person has decided.
 */
export function useDecisions<Item>(send: (key: string, item: Item, decision: string) => Promise<unknown>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome<Item>>>(new Map())
  const waiting = useRef(new Map<string, Waiting<Item>>())
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })

  const set = useCallback((key: string, outcome: Outcome<Item>) => {
    setOutcomes((before) => new Map(before).set(key, outcome))
  }, [])
  const forget = useCallback((keys: readonly string[]) => {
    setOutcomes((before) => new Map([...before].filter(([key]) => !keys.includes(key))))
  }, [])
  const sendNow = useCallback(
    (key: string) => {
      const held = waiting.current.get(key)
      if (!held) return
      clearTimeout(held.timer)
      waiting.current.delete(key)
      const { item, decision } = held
      set(key, { state: 'sending', item, decision })
      latest.current(key, item, decision).then(
        () => set(key, { state: 'done', item, decision }),
        (error: unknown) => set(key, { state: 'failed', item, error }),
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

  const decide = (key: string, item: Item, decision: string) => {
    if (waiting.current.has(key)) return
    waiting.current.set(key, { item, decision, timer: setTimeout(() => sendNow(key), UNDO_MS) })
    set(key, { state: 'undoable', item, decision })
  }
  /** Says of an item why it can't be decided so; nothing is sent. */
  const refuse = (key: string, item: Item, error: unknown) => set(key, { state: 'failed', item, error })
  const undo = (key: string) => {
    clearTimeout(waiting.current.get(key)?.timer)
    // What is on its way already can't be taken back.
    if (waiting.current.delete(key)) forget([key])
  }
  /** Takes back the newest decision that can be; answers whose it was. */
  const undoLast = () => {
    const key = [...waiting.current.keys()].at(-1)
    if (key !== undefined) undo(key)
    return key
  }
  return { outcomes, decide, refuse, undo, undoLast, forget }
}
