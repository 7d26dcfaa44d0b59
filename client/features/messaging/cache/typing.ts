import { useSyncExternalStore } from 'react'

/** How long somebody counts as typing after they last said so, and how often one says so, in milliseconds. */
const TYPING_MS = 6_000
export const TYPING_EVERY_MS = 3_000

const typing = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

/** The other person of a conversation is typing. */
export function startTyping(conversationId: string): void {
  clearTimeout(typing.get(conversationId))
  typing.set(
    conversationId,
    setTimeout(() => stopTyping(conversationId), TYPING_MS),
  )
  tell()
}

/** The other person sent what they typed, or stopped. */
export function stopTyping(conversationId: string): void {
  clearTimeout(typing.get(conversationId))
  if (typing.delete(conversationId)) tell()
}

/** Whether the other person of the conversation is typing now. */
export function useTyping(conversationId: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => typing.has(conversationId),
  )
}
