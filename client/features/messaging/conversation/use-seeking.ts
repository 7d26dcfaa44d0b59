import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { VirtuosoHandle } from 'react-virtuoso'
import { errorMessage } from '../../../lib/api.ts'
import { toast } from '../../../ui/toast.ts'
import { loadAround } from '../api.ts'
import type { Row } from './rows.ts'

/** How long a message that was sought is pointed out once it is there, in milliseconds. */
const MARKED_MS = 2_500

/** Tells that other messages couldn't be loaded. */
export const failed = (error: unknown) => toast.failure(errorMessage(error))

/** Whether a row is the message at this position. */
export const isAt = (row: Row, position: number) =>
  row.kind === 'message' && row.message.position === position

/**
 * Goes to the message that is sought, loading what is around it, and answers the one to point out until it was there for a
 * moment: a list that is loaded for it begins there.
 */
export function useSeeking(
  list: RefObject<VirtuosoHandle | null>,
  recipientId: string,
  rows: readonly Row[],
  sought: { position: number } | null,
): number | null {
  const client = useQueryClient()
  const [marked, setMarked] = useState<number | null>(null)
  const placeOf = useEffectEvent((position: number) => rows.findIndex((row) => isAt(row, position)))
  useEffect(() => {
    if (!sought) return
    const { position } = sought
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const pointOut = () => {
      if (!isOver) timer = setTimeout(() => setMarked(null), MARKED_MS)
    }
    setMarked(position)
    const index = placeOf(position)
    if (index < 0) void loadAround(client, recipientId, position).catch(failed).then(pointOut)
    else {
      list.current?.scrollToIndex({ index, align: 'center' })
      pointOut()
    }
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [sought, list, client, recipientId])
  return marked
}
