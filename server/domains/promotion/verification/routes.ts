import { can } from '../../../../contract/permissions.ts'
import { skipOf, toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Viewer } from '../../../viewer.ts'
import { trackName } from '../forum/actions.ts'
import { findReading } from '../forum/data.ts'
import { findSubreddit } from '../subreddits/data.ts'
import { removeRecord, requireSubreddit, updateRecord } from './actions.ts'
import { countRecords, findRecord, isPerson, listRecords, type RecordRow } from './data.ts'
import { checklistOf, verificationWord } from './rules.ts'

export const verificationHandlers = {
  async verificationRecord({ db, viewer, query }) {
    const userId = whose(viewer, query.userId)
    const subreddit = await findSubreddit(db, query.name)
    if (!subreddit) throw new AppError('subreddit_not_found')
    const record = await findRecord(db, userId, subreddit.id)
    const reading = await findReading(db, subreddit.name)
    const checked = new Set(record?.checked)
    const { name, verification_type: verificationType } = subreddit
    const untouched = {
      name,
      verificationType,
      notes: '',
      confirmed: 'pending' as const,
      status: 'todo' as const,
      remindOn: null,
    }
    return {
      ...(record ? presentRecord(record) : untouched),
      recorded: record !== undefined,
      checklist: checklistOf(reading?.rules ?? []).map((text) => ({ text, done: checked.has(text) })),
    }
  },

  async verificationStatus({ db, viewer, query }) {
    const userId = whose(viewer, query.userId)
    const { id } = await requireSubreddit(db, query.subreddit)
    return { status: verificationWord(await findRecord(db, userId, id)) }
  },

  async verificationRecords({ db, viewer, query }) {
    const page = { ...query, skip: skipOf(query) }
    const rows = await listRecords(db, viewer.id, { page, status: query.status, search: query.search })
    return { ...toPage(rows, query, presentRecord), counts: await countRecords(db, viewer.id) }
  },

  async updateVerification({ context, viewer, body, now }) {
    const { userId: named, srName: name, ...change } = body
    const userId = whose(viewer, named)
    if (!(await isPerson(context.db, userId))) throw new AppError('user_not_found')
    await trackName(context, { name, userId: viewer.id })
    const { subredditId } = await context.db
      .transaction()
      .execute((tx) => updateRecord(tx, { userId, actorId: viewer.id, name, change, now }))
    const record = await findRecord(context.db, userId, subredditId)
    if (!record) throw new AppError('subreddit_not_found')
    return presentRecord(record)
  },

  async verifySubreddit({ context, viewer, body, now }) {
    const { subreddit: name } = body
    await trackName(context, { name, userId: viewer.id })
    await context.db
      .transaction()
      .execute((tx) => updateRecord(tx, { userId: viewer.id, name, change: { status: 'done' }, now }))
    return { success: true }
  },

  async removeVerification({ db, viewer, body }) {
    await removeRecord(db, viewer.id, body.srName)
    return { success: true }
  },
} satisfies Partial<Handlers>

/**
 * The person whose verification is meant: the caller, or anybody if the caller is an operator. Throws `not_yourself`.
 */
function whose(viewer: Viewer, userId: string | undefined): string {
  if (userId === undefined || userId === viewer.id) return viewer.id
  if (!can(viewer, 'verification.editAll')) throw new AppError('not_yourself')
  return userId
}

function presentRecord(row: RecordRow) {
  return {
    name: row.name,
    verificationType: row.verification_type,
    notes: row.notes,
    confirmed: row.confirmed,
    status: row.status,
    remindOn: row.remind_on,
  }
}
