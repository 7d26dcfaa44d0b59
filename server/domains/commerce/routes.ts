import { adjustmentHandlers } from './adjustments/routes.ts'
import { bankDetailsHandlers } from './bank-details/routes.ts'
import { bundleHandlers } from './bundles/routes.ts'
import { cardHandlers } from './cards/routes.ts'
import { disputeHandlers } from './disputes/routes.ts'
import { earningsHandlers } from './earnings/routes.ts'
import { ledgerHandlers } from './ledger/routes.ts'
import { offerHandlers } from './offers/routes.ts'
import { orderHandlers } from './orders/routes.ts'
import { paymentHandlers } from './payments/routes.ts'
import { payoutHandlers } from './payouts/routes.ts'
import { reconciliationHandlers } from './reconciliation/routes.ts'
import { referralHandlers } from './referrals/routes.ts'
import { refundHandlers } from './refunds/routes.ts'
import { renewalHandlers } from './renewals/routes.ts'
import { statementHandlers } from './statements/routes.ts'
import { subredditAffiliateHandlers } from './subreddit-affiliates/routes.ts'
import { subscriberHandlers } from './subscribers/routes.ts'
import { subscriptionHandlers } from './subscriptions/routes.ts'
import { webhookHandlers } from './webhooks/routes.ts'

export const commerceHandlers = {
  ...subscriptionHandlers,
  ...subscriberHandlers,
  ...renewalHandlers,
  ...cardHandlers,
  ...bundleHandlers,
  ...offerHandlers,
  ...orderHandlers,
  ...paymentHandlers,
  ...refundHandlers,
  ...disputeHandlers,
  ...reconciliationHandlers,
  ...adjustmentHandlers,
  ...webhookHandlers,
  ...earningsHandlers,
  ...ledgerHandlers,
  ...statementHandlers,
  ...payoutHandlers,
  ...bankDetailsHandlers,
  ...referralHandlers,
  ...subredditAffiliateHandlers,
}
