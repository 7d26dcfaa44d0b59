import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { findQueue } from '../schedule/data.ts'
import { deleteSlot, fillSlots, saveSlot } from './actions.ts'
import { listSlots } from './data.ts'
import { clockOf, occurrencesOf } from './rules.ts'

export const slotHandlers = {
  async slots({ db, viewer, now }) {
    const { time_zone: timeZone } = await findQueue(db, viewer.id)
    const slots = await listSlots(db, viewer.id)
    return {
      timeZone,
      items: slots.map(({ id, days, minute, subreddit, account_id, by_hand, planned, problem }) => ({
        _id: id,
        days,
        time: clockOf(minute),
        subreddit,
        accountId: account_id,
        byHand: by_hand,
        nextTime: (occurrencesOf({ days, minute }, { timeZone, now })[0]?.at ?? now).toISOString(),
        planned: planned ?? 0,
        problem,
      })),
    }
  },

  async saveSlot({ context, db, viewer, body, now }) {
    const { slotId, ...slot } = body
    const id = await saveSlot(db, viewer.id, { slotId, ...slot }, now)
    const filled = await fillSlots(db, { userId: viewer.id, publicUrl: context.publicUrl, now })
    const saved = (await listSlots(db, viewer.id)).find((row) => row.id === id)
    if (!saved) throw new AppError('slot_not_found')
    return { _id: id, scheduled: filled.get(id) ?? 0, problem: saved.problem }
  },

  async deleteSlot({ db, viewer, body }) {
    await deleteSlot(db, viewer.id, body.slotId)
    return { success: true as const }
  },
} satisfies Partial<Handlers>
