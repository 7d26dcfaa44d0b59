import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { connection, emit } from '../../../lib/socket.ts'
import { readLocally } from '../cache/events.ts'
import type { Chat } from '../cache/timeline.ts'

/** How long the list is left to come to rest before what is in sight is looked for, in milliseconds. */
const REST_MS = 300
/** After which what the server refused or didn’t answer is told again, in milliseconds. */
const AGAIN_MS = 5000
/** How much of a message must be in sight for it to count as seen, in pixels. */
const SEEN_HEIGHT = 24

type Reading = { recipientId: string; chat: Chat; me: string }

/** Tells the server what the person has seen of the other one's messages: in sight, in a window that is looked at. */
export function useReading(scroller: HTMLElement | null, { recipientId, chat, me }: Reading): void {
  const client = useQueryClient()
  const connected = useSyncExternalStore(connection.subscribe, connection.read)
  const visible = useVisible()
  const [seen, setSeen] = useState(0)
  const look = useRef<() => void>(() => {})
  useEffect(() => {
    if (!scroller) return
    let timer: ReturnType<typeof setTimeout> | undefined
    look.current = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        if (isVisible()) setSeen((before) => Math.max(before, newestInSight(scroller)))
      }, REST_MS)
    }
    const { current } = look
    current()
    scroller.addEventListener('scroll', current, { passive: true })
    const sizes = new ResizeObserver(current)
    sizes.observe(scroller)
    return () => {
      clearTimeout(timer)
      scroller.removeEventListener('scroll', current)
      sizes.disconnect()
    }
  }, [scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn changes with them
  useEffect(() => look.current(), [chat.messages, visible])

  const { readPosition } = chat.conversation
  const newest = chat.messages.findLast(
    ({ senderId, position }) => senderId !== me && position <= seen && position > readPosition,
  )
  const { _id, conversationId, position } = (connected && newest) || {}
  const [refused, setRefused] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was refused or not answered is told again
  useEffect(() => {
    if (!_id || !conversationId || position === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const again = () => {
      if (!isOver) timer = setTimeout(() => setRefused((times) => times + 1), AGAIN_MS)
    }
    emit('markAsRead', { _id, conversationId }).then((answer) => {
      if (answer.ok) readLocally(client, { me, recipientId, position })
      else again()
    }, again)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [client, me, recipientId, _id, conversationId, position, refused])
}

/** The position of the lowest of the other person's messages that the list shows; 0 where it shows none. */
function newestInSight(scroller: HTMLElement): number {
  const { top, bottom } = scroller.getBoundingClientRect()
  const positions = [...scroller.querySelectorAll<HTMLElement>('[data-theirs]')].flatMap((row) => {
    const box = row.getBoundingClientRect()
    const shown = Math.min(box.bottom, bottom) - Math.max(box.top, top)
    return shown >= Math.min(SEEN_HEIGHT, box.height) ? [Number(row.dataset.theirs)] : []
  })
  return Math.max(0, ...positions)
}

/** Whether the person looks at the window: it is in sight and has the focus. */
export const useVisible = () => useSyncExternalStore(subscribeVisible, isVisible)

const isVisible = () => document.visibilityState === 'visible' && document.hasFocus()

function subscribeVisible(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  addEventListener('focus', listener)
  addEventListener('blur', listener)
  return () => {
    document.removeEventListener('visibilitychange', listener)
    removeEventListener('focus', listener)
    removeEventListener('blur', listener)
  }
}
