import type { ErrorCode } from '../../../../contract/errors.ts'

/** Somebody who shares a code, or is invited to. */
export type Participant = {
  id: string
  place: number
  hasAccepted: boolean
  /** Whether who edits the code is shown them. */
  isSeen: boolean
}

/** The manager of a code: its first member. */
export function managerOf(participants: readonly Participant[]): string | null {
  return participants.find(({ hasAccepted }) => hasAccepted)?.id ?? null
}

/**
 * The members after an edit by the code's manager, who was shown `version`. The manager stays, as leaving is a call
 * of its own, and so do members whom the manager doesn't see.
 */
export function changeOf(
  code: { version: Date; participants: readonly Participant[] },
  wanted: { version: Date; participantIds: readonly string[] },
  editorId: string,
): { refused: ErrorCode } | { added: string[]; removed: string[] } {
  const { participants } = code
  if (managerOf(participants) !== editorId) return { refused: 'shared_code_not_yours' }
  if (code.version.getTime() !== wanted.version.getTime()) return { refused: 'shared_code_changed' }
  const ids = new Set([editorId, ...wanted.participantIds])
  const before = new Set(participants.map(({ id }) => id))
  return {
    added: [...ids].filter((id) => !before.has(id)),
    removed: participants.filter(({ id, isSeen }) => isSeen && !ids.has(id)).map(({ id }) => id),
  }
}
