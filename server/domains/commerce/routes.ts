import { bundleHandlers } from './bundles/routes.ts'
import { ledgerHandlers } from './ledger/routes.ts'
import { payoutHandlers } from './payouts/routes.ts'
import { purchaseHandlers } from './purchases/routes.ts'
import { subscriptionHandlers } from './subscriptions/routes.ts'

export const commerceHandlers = {
  ...subscriptionHandlers,
  ...bundleHandlers,
  ...purchaseHandlers,
  ...ledgerHandlers,
  ...payoutHandlers,
}
