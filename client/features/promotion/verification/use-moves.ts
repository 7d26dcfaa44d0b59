import { errorMessage } from '../../../lib/api.ts'
import { toast } from '../../../ui/toast.ts'
import { useMoveRecord } from './api.ts'
import type { Status, VerificationRecord } from './records.ts'
import { boardTexts as texts } from './texts.ts'

/** Moves records to another status, one or several together, and offers to undo it. */
export function useMoves() {
  const move = useMoveRecord()
  const moveTo = (record: VerificationRecord, to: Status) => {
    const { name, status: from } = record
    if (from === to) return
    // Each move is told of, also where another one follows before its answer.
    move.mutateAsync({ record, to }).then(
      () =>
        toast.offer(texts.moved(name, texts.columns[to]), {
          label: texts.undo,
          onAct: () => moveTo({ ...record, status: to }, from),
        }),
      (error) => toast.failure(texts.moveFailed(name, errorMessage(error))),
    )
  }
  const moveMany = async (records: readonly VerificationRecord[], to: Status) => {
    const others = records.filter(({ status }) => status !== to)
    const moves = await Promise.allSettled(others.map((record) => move.mutateAsync({ record, to })))
    const moved = others.filter((_, index) => moves[index]?.status === 'fulfilled')
    const failure = moves.find((one) => one.status === 'rejected')
    if (failure)
      toast.failure(texts.moveManyFailed(others.length - moved.length, errorMessage(failure.reason)))
    if (moved.length === 0) return
    toast.offer(texts.movedMany(moved.length, texts.columns[to]), {
      label: texts.undo,
      onAct: () => {
        for (const record of moved) moveTo({ ...record, status: to }, record.status)
      },
    })
  }
  return { moveTo, moveMany }
}
