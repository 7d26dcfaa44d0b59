import type { Route } from './route.ts'
import { adjustmentRoutes } from './routes/commerce/adjustments.ts'
import { bankDetailsRoutes } from './routes/commerce/bank-details.ts'
import { bundleRoutes } from './routes/commerce/bundles.ts'
import { cardRoutes } from './routes/commerce/cards.ts'
import { disputeRoutes } from './routes/commerce/disputes.ts'
import { earningsRoutes } from './routes/commerce/earnings.ts'
import { ledgerRoutes } from './routes/commerce/ledger.ts'
import { offerRoutes } from './routes/commerce/offers.ts'
import { orderRoutes } from './routes/commerce/orders.ts'
import { paymentRoutes } from './routes/commerce/payments.ts'
import { payoutRoutes } from './routes/commerce/payouts.ts'
import { reconciliationRoutes } from './routes/commerce/reconciliation.ts'
import { referralRoutes } from './routes/commerce/referrals.ts'
import { refundRoutes } from './routes/commerce/refunds.ts'
import { renewalRoutes } from './routes/commerce/renewals.ts'
import { statementRoutes } from './routes/commerce/statements.ts'
import { subredditAffiliateRoutes } from './routes/commerce/subreddit-affiliates.ts'
import { subscriberRoutes } from './routes/commerce/subscribers.ts'
import { subscriptionRoutes } from './routes/commerce/subscriptions.ts'
import { webhookRoutes } from './routes/commerce/webhooks.ts'
import { ageRoutes } from './routes/compliance/age.ts'
import { auditRoutes } from './routes/compliance/audit.ts'
import { contactRoutes } from './routes/compliance/contact.ts'
import { erasureRoutes } from './routes/compliance/erasure.ts'
import { exportRoutes } from './routes/compliance/exports.ts'
import { regionRoutes } from './routes/compliance/regions.ts'
import { senatorRoutes } from './routes/compliance/senators.ts'
import { accountRoutes } from './routes/identity/account.ts'
import { loginRoutes } from './routes/identity/login.ts'
import { passwordRoutes } from './routes/identity/passwords.ts'
import { reauthenticationRoutes } from './routes/identity/reauthentication.ts'
import { roleRoutes } from './routes/identity/roles.ts'
import { sessionRoutes } from './routes/identity/sessions.ts'
import { suspensionRoutes } from './routes/identity/suspensions.ts'
import { twoFactorRoutes } from './routes/identity/two-factor.ts'
import { libraryRoutes } from './routes/media/library.ts'
import { performerRoutes } from './routes/media/performers.ts'
import { quarantineRoutes } from './routes/media/quarantine.ts'
import { searchRoutes } from './routes/media/search.ts'
import { tagRoutes } from './routes/media/tags.ts'
import { uploadRoutes } from './routes/media/uploads.ts'
import { viewingRoutes } from './routes/media/viewing.ts'
import { conversationRoutes } from './routes/messaging/conversations.ts'
import { customRequestRoutes } from './routes/messaging/custom-requests.ts'
import { fanListRoutes } from './routes/messaging/fan-lists.ts'
import { massMessageRoutes } from './routes/messaging/mass-messages.ts'
import { messageRoutes } from './routes/messaging/messages.ts'
import { messageReportRoutes } from './routes/messaging/reports.ts'
import { chatSettingsRoutes } from './routes/messaging/settings.ts'
import { notificationRoutes } from './routes/notifications/inbox.ts'
import { notificationSettingsRoutes } from './routes/notifications/settings.ts'
import { blockingRoutes } from './routes/profiles/blocking.ts'
import { followingRoutes } from './routes/profiles/following.ts'
import { peopleRoutes } from './routes/profiles/people.ts'
import { profileRoutes } from './routes/profiles/profiles.ts'
import { sharedCodeRoutes } from './routes/profiles/shared-codes.ts'
import { forumAccountRoutes } from './routes/promotion/accounts.ts'
import { attributionRoutes } from './routes/promotion/attribution.ts'
import { copyRoutes } from './routes/promotion/copies.ts'
import { forumRoutes } from './routes/promotion/forum.ts'
import { inboxRoutes } from './routes/promotion/inbox.ts'
import { subredditListRoutes } from './routes/promotion/lists.ts'
import { planRoutes } from './routes/promotion/plans.ts'
import { redditPostRoutes } from './routes/promotion/posts.ts'
import { recyclingRoutes } from './routes/promotion/recycling.ts'
import { scheduleRoutes } from './routes/promotion/schedule.ts'
import { slotRoutes } from './routes/promotion/slots.ts'
import { subredditRoutes } from './routes/promotion/subreddits.ts'
import { verificationRoutes } from './routes/promotion/verification.ts'
import { siteRoutes } from './routes/site.ts'

/** Every call of the API by its name: what server, client and tests agree on. */
export const routes = {
  ...siteRoutes,
  ...accountRoutes,
  ...loginRoutes,
  ...sessionRoutes,
  ...passwordRoutes,
  ...reauthenticationRoutes,
  ...twoFactorRoutes,
  ...roleRoutes,
  ...suspensionRoutes,
  ...profileRoutes,
  ...followingRoutes,
  ...peopleRoutes,
  ...blockingRoutes,
  ...sharedCodeRoutes,
  ...tagRoutes,
  ...performerRoutes,
  ...searchRoutes,
  ...uploadRoutes,
  ...libraryRoutes,
  ...quarantineRoutes,
  ...viewingRoutes,
  ...subscriptionRoutes,
  ...subscriberRoutes,
  ...renewalRoutes,
  ...cardRoutes,
  ...bundleRoutes,
  ...offerRoutes,
  ...orderRoutes,
  ...paymentRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...reconciliationRoutes,
  ...adjustmentRoutes,
  ...webhookRoutes,
  ...earningsRoutes,
  ...ledgerRoutes,
  ...statementRoutes,
  ...payoutRoutes,
  ...bankDetailsRoutes,
  ...referralRoutes,
  ...subredditAffiliateRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...customRequestRoutes,
  ...messageReportRoutes,
  ...chatSettingsRoutes,
  ...fanListRoutes,
  ...massMessageRoutes,
  ...forumAccountRoutes,
  ...forumRoutes,
  ...subredditRoutes,
  ...verificationRoutes,
  ...subredditListRoutes,
  ...redditPostRoutes,
  ...scheduleRoutes,
  ...planRoutes,
  ...inboxRoutes,
  ...attributionRoutes,
  ...copyRoutes,
  ...slotRoutes,
  ...recyclingRoutes,
  ...notificationRoutes,
  ...notificationSettingsRoutes,
  ...ageRoutes,
  ...auditRoutes,
  ...regionRoutes,
  ...contactRoutes,
  ...senatorRoutes,
  ...erasureRoutes,
  ...exportRoutes,
} as const satisfies Record<string, Route>

export type Routes = typeof routes
export type RouteName = keyof Routes
