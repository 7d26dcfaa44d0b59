import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../../contract/route.ts'
import type { siteRoutes } from '../../../contract/routes/site.ts'
import { call } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { promotionPaths } from '../../lib/promotion-paths.ts'
import { waitingKey } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'

/** One kind of thing that waits for the person. */
export type WaitingThing = Output<typeof siteRoutes.waiting>['items'][number]

/** The person's open tasks, those due first at the top; read again each time that Home is opened. */
export const waitingQuery = queryOptions({
  queryKey: waitingKey,
  queryFn: async ({ signal }) => (await call(routes.waiting, {}, { signal })).items,
  staleTime: 0,
})

/** Where each kind is done. */
export const waitingPaths: Record<WaitingThing['kind'], string> = {
  request_to_pay: paths.customs,
  past_due: paths.billing,
  no_card: paths.billing,
  card_expired: paths.billing,
  card_expiring: paths.billing,
  price_change: paths.billing,
  request_to_deliver: paths.customs,
  request_to_answer: paths.customs,
  forum_account: promotionPaths.timeline,
  post_failed: `${promotionPaths.timeline}?show=failed`,
  post_overdue: promotionPaths.timeline,
  post_by_hand: `${promotionPaths.timeline}?show=waiting`,
  payout_possible: paths.earnings,
  dispute: paths.disputes,
  report: paths.messageReports,
  finding: paths.payments,
  stuck_payment: paths.payments,
  payout: paths.payouts,
  payout_to_export: paths.payouts,
  adjustment: '/books',
  subreddit: '/dashboard/subredditprogram',
}
