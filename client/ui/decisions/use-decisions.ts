import { useCallback, useEffect, useRef, useState } from 'react'

/** How long a decision can be taken back before it is sent, in milliseconds. */
export const UNDO_MS = 6000

/** The state of an item: decided but not sent yet, on its way, done, or open again after a failure. */
export type Outcome<Item> = { item: Item } & (
  | { state: 'undoable' | 'sending' | 'done'; decision: string }
  | { state: 'failed'; error: unknown }
)

type Waiting<Item> = { item: Item; decision: string; timer: ReturnType<typeof setTimeout> }

type Ways<Item> = {
  /** A step required before a decision counts; it doesn't if this fails. */
  begin?: ((item: Item, decision: string) => Promise<unknown>) | undefined
  send: (key: string, item: Item, decision: string) => Promise<unknown>
  onUndo?: ((item: Item) => void) | undefined
  /** Says why a decision failed whose page is left. */
  tell: (item: Item, error: unknown) => void
}

/**
 * Decisions that can be undone: each is sent a few seconds after it was made, about the item as it was then, whatever
 * is listed by now. Leaving the page sends what still waits at once: the person has decided.
 */
export function useDecisions<Item>(ways: Ways<Item>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome<Item>>>(new Map())
  const waiting = useRef(new Map<string, Waiting<Item>>())
  const beginning = useRef(new Set<string>())
  const isGone = useRef(false)
  const latest = useRef(ways)
  useEffect(() => {
    latest.current = ways
  })

  const set = useCallback((key: string, outcome: Outcome<Item>) => {
    setOutcomes((before) => new Map(before).set(key, outcome))
  }, [])
  const forget = useCallback((keys: readonly string[]) => {
    setOutcomes((before) => new Map([...before].filter(([key]) => !keys.includes(key))))
  }, [])
  /** Says of an item why it isn't decided so. */
  const refuse = useCallback(
    (key: string, item: Item, error: unknown) => {
      if (isGone.current) latest.current.tell(item, error)
      else set(key, { state: 'failed', item, error })
    },
    [set],
  )
  const sendNow = useCallback(
    (key: string) => {
      const held = waiting.current.get(key)
      if (!held) return
      clearTimeout(held.timer)
      waiting.current.delete(key)
      const { item, decision } = held
      set(key, { state: 'sending', item, decision })
      latest.current.send(key, item, decision).then(
        () => set(key, { state: 'done', item, decision }),
        (error: unknown) => refuse(key, item, error),
      )
    },
    [set, refuse],
  )
  useEffect(() => {
    isGone.current = false
    const sendAll = () => [...waiting.current.keys()].forEach(sendNow)
    addEventListener('pagehide', sendAll)
    return () => {
      isGone.current = true
      removeEventListener('pagehide', sendAll)
      sendAll()
    }
  }, [sendNow])

  /** Answers whether it counts. */
  const decide = async (key: string, item: Item, decision: string): Promise<boolean> => {
    if (waiting.current.has(key) || beginning.current.has(key)) return false
    if (ways.begin) {
      beginning.current.add(key)
      try {
        await ways.begin(item, decision)
      } catch (error) {
        refuse(key, item, error)
        return false
      } finally {
        beginning.current.delete(key)
      }
    }
    waiting.current.set(key, { item, decision, timer: setTimeout(() => sendNow(key), UNDO_MS) })
    set(key, { state: 'undoable', item, decision })
    if (isGone.current) sendNow(key)
    return true
  }
  const undo = (key: string) => {
    const held = waiting.current.get(key)
    // A decision on its way can't be undone.
    if (!held) return
    clearTimeout(held.timer)
    waiting.current.delete(key)
    forget([key])
    ways.onUndo?.(held.item)
  }
  /** Takes back the newest decision that can be; answers whose it was. */
  const undoLast = () => {
    const key = [...waiting.current.keys()].at(-1)
    if (key !== undefined) undo(key)
    return key
  }
  return { outcomes, decide, refuse, undo, undoLast, forget }
}
