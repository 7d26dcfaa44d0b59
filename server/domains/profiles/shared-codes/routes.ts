import type { Db } from '../../../db/client.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { acceptSharedCode, createSharedCode, editSharedCode, leaveSharedCode } from './actions.ts'
import { listSharedCodes, type SharedCodeRow, type Viewer } from './data.ts'

export const sharedCodeHandlers = {
  async sharedCodes({ db, audience, viewer, query }) {
    const person = { ...audience, id: viewer.id }
    return toPage(await listSharedCodes(db, person, query), query, (row) => presentSharedCode(row, viewer.id))
  },

  async createSharedCode({ db, audience, viewer, body, now }) {
    const editor = { ...audience, id: viewer.id, username: viewer.username }
    return showSharedCode(db, editor, await createSharedCode(db, editor, { ...body, now }))
  },

  async editSharedCode({ db, audience, viewer, body, now }) {
    const { sharedRefId: codeId, title, participantIds, lastUpdateAt } = body
    const editor = { ...audience, id: viewer.id, username: viewer.username }
    await editSharedCode(db, editor, { codeId, version: new Date(lastUpdateAt), title, participantIds, now })
    return { item: await showSharedCode(db, editor, codeId) }
  },

  async acceptSharedCode({ db, viewer, body, now }) {
    await acceptSharedCode(db, { userId: viewer.id, codeId: body.sharedRefId, now })
    return { success: true }
  },

  async leaveSharedCode({ db, viewer, body, now }) {
    await leaveSharedCode(db, { userId: viewer.id, codeId: body.sharedRefId, now })
    return { success: true }
  },
} satisfies Partial<Handlers>

async function showSharedCode(db: Db, viewer: Viewer, codeId: string) {
  const [row] = await listSharedCodes(db, viewer, { codeId })
  if (!row) throw new AppError('shared_code_not_found')
  return presentSharedCode(row, viewer.id)
}

function presentSharedCode(row: SharedCodeRow, viewerId: string) {
  const manages = row.participants.find(({ accepted }) => accepted)?.id === viewerId
  const seen = row.participants.filter(({ isSeen, isSeenByManager }) => (manages ? isSeenByManager : isSeen))
  return {
    _id: row.id,
    referralCode: row.code,
    title: row.title,
    participantIds: seen.map(({ id }) => id),
    participants: seen.map(({ id, username, accepted }) => ({ _id: id, username, accepted })),
    others: row.participants.length - seen.length,
    manages,
    accepted: row.accepted_at !== null,
    lastUpdateBy: row.editor === null ? null : { username: row.editor },
    lastUpdateAt: row.updated_at.toISOString(),
    signUps: row.signUps,
  }
}
