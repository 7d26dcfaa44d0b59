import { profileImageAddress } from '../../../../contract/files.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Db } from '../../../db/client.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { changeList, deleteList, saveList, setNote } from './actions.ts'
import { type Choice, type FanRow, findFan, findList, listFans, listLists } from './data.ts'

export const fanListHandlers = {
  async fanTable({ db, audience, query }) {
    const { showing, listId, sort, filter } = query
    const rows = await listFans(db, audience, {
      page: query,
      choice: choiceOf(showing, listId),
      sort,
      filter,
    })
    return toPage(rows, query, presentFan)
  },

  async fan({ db, audience, query }) {
    const row = await findFan(db, audience, query.fanId)
    if (!row) throw new AppError('user_not_found')
    return { ...presentFan(row), listable: row.listable }
  },

  async fanLists({ db, viewer }) {
    return { items: (await listLists(db, viewer.id)).map(presentList) }
  },

  async saveFanList({ db, viewer, body, now }) {
    const { listId, name } = body
    return showList(db, viewer.id, await saveList(db, viewer.id, { listId, name, now }))
  },

  async deleteFanList({ db, viewer, body }) {
    await deleteList(db, viewer.id, body.listId)
    return { success: true }
  },

  async changeFanList({ db, viewer, body, now }) {
    await changeList(db, viewer.id, { ...body, now })
    return showList(db, viewer.id, body.listId)
  },

  async setFanNote({ db, viewer, body, now }) {
    await setNote(db, viewer.id, { ...body, now })
    return { success: true }
  },
} satisfies Partial<Handlers>

/** Throws `list_required` if the group is a list and none is named. */
function choiceOf(showing: Choice['showing'], listId: string | undefined): Choice {
  if (showing !== 'list') return { showing }
  if (listId === undefined) throw new AppError('list_required')
  return { showing, listId }
}

const presentList = ({ id, ...list }: { id: string; name: string; members: number }) => ({ _id: id, ...list })

async function showList(db: Db, creatorId: string, listId: string) {
  const list = await findList(db, creatorId, listId)
  if (!list) throw new AppError('fan_list_not_found')
  return presentList(list)
}

function presentFan(row: FanRow) {
  return {
    _id: row.id,
    username: row.username,
    profileImage: profileImageAddress(row.id, row.profile_image),
    isCreator: row.is_creator,
    since: row.since?.toISOString() ?? null,
    follows: row.follows,
    subscription: row.subscription,
    spent: formatMoney(row.spent_cents),
    listIds: row.list_ids,
    note: row.note,
  }
}
