import type { Db } from '../../../db/client.ts'
import type { Handlers } from '../../../handler.ts'
import { createSharedCode, editSharedCode } from './actions.ts'
import { listSharedCodes, type SharedCodeRow } from './data.ts'

export const sharedCodeHandlers = {
  async sharedCodes({ db, viewer }) {
    return { items: (await listSharedCodes(db, viewer.id)).map(presentSharedCode) }
  },

  async createSharedCode({ db, audience, viewer, body, now }) {
    const id = await createSharedCode(db, { ...audience, username: viewer.username }, { ...body, now })
    const [row] = await listSharedCodes(db, viewer.id, id)
    return presentSharedCode(row as SharedCodeRow)
  },

  async editSharedCode({ db, audience, viewer, body, now }) {
    const { sharedRefId: codeId, title, participantIds } = body
    await editSharedCode(
      db,
      { ...audience, username: viewer.username },
      { codeId, title, participantIds, now },
    )
    return { item: await showSharedCode(db, viewer.id, codeId) }
  },
} satisfies Partial<Handlers>

async function showSharedCode(db: Db, userId: string, codeId: string) {
  const [row] = await listSharedCodes(db, userId, codeId)
  return row ? presentSharedCode(row) : null
}

const HIDDEN = 'Deleted User'

function presentSharedCode(row: SharedCodeRow) {
  return {
    _id: row.id,
    referralCode: row.code,
    title: row.title,
    participantIds: row.participants.map(({ id }) => id),
    participants: row.participants.map(({ id, username, isHidden }) => ({
      _id: id,
      username: isHidden ? HIDDEN : username,
    })),
    lastUpdateBy: { username: row.editorHiddenAt ? HIDDEN : row.editor },
    lastUpdateAt: row.updated_at.toISOString(),
    signUps: row.signUps,
  }
}
