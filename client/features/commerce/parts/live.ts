import type { QueryClient } from '@tanstack/react-query'
import type { NotificationKind } from '../../../../contract/notifications.ts'
import { invalidate } from '../../../lib/query.ts'
import type { ServerEvent } from '../../../lib/socket-opening.ts'
import { keys, purchaseChanges } from '../api.ts'

/** What changes what somebody owns, or what a product costs them. */
const CHANGING: ReadonlySet<NotificationKind> = new Set([
  'purchase.receipt',
  'payment.refunded',
  'subscription.renewed',
  'subscription.declined',
  'subscription.reviewed',
  'subscription.canceled',
  'subscription.ended',
  'subscription.extended',
  'subscription.price-changed',
])

/** Asks for what is shown of products and payments again when one changed elsewhere: in another tab, or on the server. */
export function purchaseEvents(client: QueryClient) {
  const changed = (filters: Parameters<typeof invalidate>[2] = {}) => {
    // An open purchase dialog does that itself, once it knows how its payment ended.
    const buying = client.getQueryCache().findAll({ queryKey: keys.openPurchase, type: 'active' }).length > 0
    if (!buying) invalidate(client, purchaseChanges, filters)
  }
  return {
    /** After a cut in which something was told. */
    missed: () => changed(),
    notification: ({ notification }: ServerEvent<'notification'>) => {
      if (CHANGING.has(notification.event.kind)) changed({ running: 'kept' })
    },
  }
}
