import { massFailures } from '../../../../contract/errors/messaging.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Companion } from '../../../viewer.ts'
import { findOwnItems } from '../../media/viewing/sent/data.ts'
import type { Writer } from '../data.ts'
import { findList } from '../fan-lists/data.ts'
import { cancelMassMessage, saveMassMessage, unsendMassMessage } from './actions.ts'
import { countAddressed, findMassMessage, listMassMessages, type MassMessageRow } from './data.ts'
import { unsendRefusal } from './rules.ts'

export const massMessageHandlers = {
  async massMessages({ context, db, audience, companion, query, now }) {
    const rows = await listMassMessages(db, audience.id, query)
    const items = await itemsOf(context, db, { audience, companion }, rows, now)
    return toPage(rows, query, (row) => presentMassMessage(row, items, now))
  },

  async massMessage({ context, db, audience, companion, query, now }) {
    return show(context, db, { audience, companion }, query.massMessageId, now)
  },

  async countMassAudience({ db, viewer, query }) {
    const { audience, listId = null, excludedListId = null } = query
    if (audience === 'list' && listId === null) throw new AppError('list_required')
    // Counting somebody else's list would reveal who is on it.
    if (excludedListId !== null && !(await findList(db, viewer.id, excludedListId)))
      throw new AppError('fan_list_not_found')
    return { people: await countAddressed(db, { creatorId: viewer.id, audience, listId, excludedListId }) }
  },

  async saveMassMessage({ context, db, audience, companion, body, now }) {
    const { config, publishingOpen } = context
    const id = await saveMassMessage(db, { ...body, creatorId: audience.id, config, publishingOpen, now })
    return show(context, db, { audience, companion }, id, now)
  },

  async cancelMassMessage({ db, viewer, body }) {
    await cancelMassMessage(db, viewer.id, body.massMessageId)
    return { success: true }
  },

  async unsendMassMessage({ context, db, audience, companion, body, now }) {
    const id = body.massMessageId
    await unsendMassMessage(db, { creatorId: audience.id, id, now })
    return show(context, db, { audience, companion }, id, now)
  },
} satisfies Partial<Handlers>

type Looking = { audience: Writer; companion: Companion }

async function show(context: Context, db: Db, looking: Looking, id: string, now: Date) {
  const row = await findMassMessage(db, looking.audience.id, id)
  if (!row) throw new AppError('mass_message_not_found')
  return presentMassMessage(row, await itemsOf(context, db, looking, [row], now), now)
}

function itemsOf(context: Context, db: Db, looking: Looking, rows: MassMessageRow[], now: Date) {
  const mediaIds = [...new Set(rows.flatMap((row) => row.media_ids))]
  const { audience, companion } = looking
  return findOwnItems(db, audience, { mediaIds, signer: context.signer, companion, now })
}

type Items = Awaited<ReturnType<typeof findOwnItems>>

const named = (_id: string | null, name: string | null) =>
  _id === null || name === null ? null : { _id, name }

function presentMassMessage(row: MassMessageRow, items: Items, now: Date) {
  return {
    _id: row.id,
    content: row.content,
    attachments: row.media_ids.flatMap((id) => items.get(id) ?? []),
    price: row.price_cents === null ? null : formatMoney(row.price_cents),
    audience: row.audience,
    list: named(row.list_id, row.list_name),
    excludedList: named(row.excluded_list_id, row.excluded_list_name),
    status: row.status,
    failure: row.failure === null ? null : massFailures[row.failure],
    sendAt: row.send_at.toISOString(),
    expected: row.expected,
    sent: row.sent,
    opened: row.figures.opened,
    bought: row.figures.bought,
    earned: formatMoney(row.figures.share_cents),
    unsent: row.unsent,
    leftOut: row.left_out,
    canUnsend: unsendRefusal(row, now) === null,
  }
}
