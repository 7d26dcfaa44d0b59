import type { ErrorCode } from '../../../../contract/errors.ts'

type Code = { title: string; participants: readonly string[] }

/**
 * What a person's edit makes of a code: the first participant manages it and changes everything, the others can only
 * take themselves out. Who manages it passes it on to the next by leaving.
 */
export function changeOf(
  code: Code,
  { title, participantIds }: { title: string; participantIds: readonly string[] },
  editorId: string,
): { refused: ErrorCode } | { after: string[]; added: string[]; removed: string[] } {
  const before = code.participants
  const wanted = [...new Set(participantIds)]
  const isManager = before[0] === editorId
  // The manager stays first, as long as they stay.
  const after =
    wanted.includes(editorId) && isManager ? [editorId, ...wanted.filter((id) => id !== editorId)] : wanted
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  const isLeaving = removed.length === 1 && removed[0] === editorId && added.length === 0
  if (!isManager && !(isLeaving && title === code.title)) return { refused: 'shared_code_not_yours' }
  if (after.length === 0) return { refused: 'shared_code_empty' }
  return { after: isManager ? after : before.filter((id) => id !== editorId), added, removed }
}
