import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { consentNetwork } from '../../../networks.ts'

const DAY_MS = 24 * 3600 * 1000
/** Banks take disputes of payments that are up to 540 days old. */
const KEPT_DAYS = 540
/** The views recorded today since the viewer's newest order, so that the segments of a video write nothing. */
const noted = new WeakMap<Context, LRUCache<string, true>>()

/** `orderedAt`: when the viewer made or paid their newest order; null without any. */
type Delivery = { userId: string; mediaId: string; ip: string; orderedAt: Date | null; now: Date }

/**
 * Writes down that a person is shown a locked item, as evidence in a dispute: the first time of a day, and the first time after
 * each order of theirs, which may be the disputed one. What can't be written keeps nobody from what they bought.
 */
export async function noteDelivery(context: Context, delivery: Delivery): Promise<void> {
  const { userId, mediaId, ip, orderedAt, now } = delivery
  const today = notedBy(context)
  const key = [userId, mediaId, now.toISOString().slice(0, 10), orderedAt?.getTime()].join(' ')
  if (today.has(key)) return
  today.set(key, true)
  const network = consentNetwork(ip)
  const seen = { last_at: now, last_network: network }
  const day = startOfDay(now)
  const since = orderedAt !== null && orderedAt > day ? orderedAt : day
  try {
    await context.db.transaction().execute((tx) =>
      tx
        .insertInto('media_deliveries')
        .values({ user_id: userId, media_id: mediaId, first_at: now, first_network: network, ...seen })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'media_id'])
            .doUpdateSet({
              ...seen,
              days: sql`media_deliveries.days + (media_deliveries.last_at < ${day})::integer`,
            })
            .where('media_deliveries.last_at', '<', since),
        )
        .execute(),
    )
  } catch (error) {
    today.delete(key)
    context.log.warn({ err: error }, 'a delivery could not be written down')
  }
}

function notedBy(context: Context): LRUCache<string, true> {
  const known = noted.get(context) ?? new LRUCache<string, true>({ max: 20_000 })
  noted.set(context, known)
  return known
}

const startOfDay = (now: Date) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)

/** Forgets deliveries that no dispute can be about anymore. */
export async function forgetDeliveries(db: Tx, now: Date): Promise<void> {
  await db
    .deleteFrom('media_deliveries')
    .where('last_at', '<', new Date(now.getTime() - KEPT_DAYS * DAY_MS))
    .execute()
}
