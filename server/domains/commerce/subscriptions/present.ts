import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Subscription } from '../../../../contract/routes/commerce/subscriptions.ts'
import { LIVE, type PlanRow } from './data.ts'

/** A plan as the viewing fan sees it. */
export function presentPlan(row: PlanRow): z.output<typeof Subscription> {
  return {
    _id: row.id,
    userId: row.creator_id,
    creatorId: row.creator_id,
    title: row.title,
    price: formatMoney(row.price_cents),
    chatEnabled: row.chat_enabled,
    mediaIds: row.mediaIds,
    photoCount: row.photoCount,
    videoCount: row.videoCount,
    videoSeconds: row.videoSeconds,
    status: row.status,
    expiration: row.expiration?.toISOString() ?? null,
    message:
      row.status && (LIVE.includes(row.status) ? 'Already Subscribed!' : 'Your subscription has ended.'),
  }
}
