import type { Migration } from 'kysely/migration'
import { up as accounts } from './0001-accounts.ts'
import { up as media } from './0002-media.ts'
import { up as purchases } from './0003-purchases.ts'
import { up as ledger } from './0004-ledger.ts'
import { up as operations } from './0005-operations.ts'
import { up as restrictedRegions } from './0006-restricted-regions.ts'
import { up as accountSecurity } from './0007-account-security.ts'
import { up as accountLifecycle } from './0008-account-lifecycle.ts'
import { up as ageGate } from './0009-age-gate.ts'
import { up as mediaLibrary } from './0010-media-library.ts'
import { up as search } from './0011-search.ts'
import { up as senators } from './0012-senators.ts'
import { up as uploads } from './0013-uploads.ts'
import { up as deletedMedia } from './0014-deleted-media.ts'
import { up as unlockedFeeds } from './0015-unlocked-feeds.ts'
import { up as entitlements } from './0016-entitlements.ts'
import { up as fieldTerms } from './0017-field-terms.ts'
import { up as installation } from './0018-installation.ts'
import { up as processing } from './0019-processing.ts'
import { up as people } from './0020-people.ts'
import { up as identity } from './0021-identity.ts'
import { up as jobs } from './0022-jobs.ts'
import { up as speed } from './0023-speed.ts'
import { up as publishedMedia } from './0024-published-media.ts'
import { up as money } from './0025-money.ts'
import { up as unlocked } from './0026-unlocked.ts'
import { up as fanPrivacy } from './0027-fan-privacy.ts'
import { up as discover } from './0028-discover.ts'
import { up as fanHome } from './0029-fan-home.ts'
import { up as library } from './0030-library.ts'
import { up as offerContents } from './0031-offer-contents.ts'
import { up as ledgerAccounts } from './0032-ledger.ts'
import { up as orders } from './0033-orders.ts'
import { up as refunds } from './0034-refunds.ts'
import { up as findings } from './0035-findings.ts'
import { up as renewals } from './0036-renewals.ts'
import { up as cards } from './0037-cards.ts'
import { up as offers } from './0038-offers.ts'
import { up as disputes } from './0039-disputes.ts'
import { up as freeMonths } from './0040-free-months.ts'
import { up as deliveries } from './0041-deliveries.ts'
import { up as messages } from './0042-messages.ts'
import { up as customRequests } from './0043-custom-requests.ts'
import { up as massMessages } from './0044-mass-messages.ts'
import { up as notificationChannels } from './0045-notification-channels.ts'
import { up as messageStoring } from './0046-message-storing.ts'
import { up as forum } from './0047-forum.ts'
import { up as schedule } from './0048-schedule.ts'
import { up as inbox } from './0049-inbox.ts'
import { up as attribution } from './0050-attribution.ts'
import { up as candidateOrder } from './0051-candidate-order.ts'
import { up as slots } from './0052-slots.ts'
import { up as postOffers } from './0053-post-offers.ts'
import { up as forumAllowance } from './0054-forum-allowance.ts'
import { up as referrals } from './0055-referrals.ts'
import { up as evidenceHolds } from './0056-evidence-holds.ts'
import { up as writers } from './0057-writers.ts'
import { up as messagesKept } from './0058-messages-kept.ts'
import { up as subredditChanges } from './0059-subreddit-changes.ts'
import { up as posting } from './0060-posting.ts'
import { up as findingOwners } from './0061-findings.ts'
import { up as plans } from './0062-plans.ts'
import { up as sharedCodeInvitations } from './0063-shared-code-invitations.ts'
import { up as gatewayNotices } from './0065-gateway-notices.ts'
import { up as recordChains } from './0066-record-chains.ts'
import { up as unknownRefunds } from './0067-unknown-refunds.ts'
import { up as subscriptionTerms } from './0068-subscription-terms.ts'
import { up as priceChanges } from './0069-price-changes.ts'
import { up as earnings } from './0070-earnings.ts'
import { up as bankDetails } from './0071-bank-details.ts'
import { up as bundleReductions } from './0074-bundle-reductions.ts'
import { up as checksByIndex } from './0075-checks-by-index.ts'
import { up as conversingFans } from './0076-conversing-fans.ts'
import { up as settlements } from './0077-settlements.ts'
import { up as subredditAffiliates } from './0078-subreddit-affiliates.ts'
import { up as renewalOrders } from './0080-renewal-orders.ts'
import { up as priceTold } from './0081-price-told.ts'
import { up as wholeFiles } from './0084-whole-files.ts'
import { up as secondLooks } from './0085-second-looks.ts'
import { up as written } from './0086-written.ts'
import { up as disputeShares } from './0087-dispute-shares.ts'
import { up as adjustments } from './0088-adjustments.ts'
import { up as rests } from './0089-rests.ts'
import { up as timelineLive } from './0092-timeline-live.ts'
import { up as keptAccounts } from './0093-kept-accounts.ts'
import { up as paymentsByStatus } from './0094-payments-by-status.ts'
import { up as cardLookups } from './0095-card-lookups.ts'
import { up as chat } from './0097-chat.ts'
import { up as upAt } from './0098-up-at.ts'
import { up as deletedMessages } from './0099-deleted-messages.ts'
import { up as forumKind } from './0100-forum-kind.ts'
import { up as nsfwAndClashes } from './0101-nsfw-and-clashes.ts'
import { up as leavingRequests } from './0102-leaving-requests.ts'
import { up as refusedRefunds } from './0103-refused-refunds.ts'
import { up as messageVersions } from './0104-message-versions.ts'
import { up as disputedPayments } from './0105-disputed-payments.ts'
import { up as monthsOfTheBooks } from './0106-months-of-the-books.ts'
import { up as refundsSentElsewhere } from './0109-refunds-sent-elsewhere.ts'
import { up as linesOfDocuments } from './0111-lines-of-documents.ts'
import { up as refundsInPartElsewhere } from './0112-refunds-in-part-elsewhere.ts'
import { up as sharesOnHold } from './0113-shares-on-hold.ts'
import { up as renewalsBeforeFreeMonths } from './0116-renewals-before-free-months.ts'
import { up as refundsNotMade } from './0117-refunds-not-made.ts'
import { up as refundsMadeAfterAll } from './0118-refunds-made-after-all.ts'
import { up as daysOfPayments } from './0121-days-of-payments.ts'
import { up as remindersDue } from './0123-reminders-due.ts'
import { up as settlementsFailed } from './0125-settlements-failed.ts'
import { up as shownPastDue } from './0126-shown-past-due.ts'
import { up as settledAfterAll } from './0127-settled-after-all.ts'
import { up as takenDown } from './0128-taken-down.ts'
import { up as commissionsWithheld } from './0129-commissions-withheld.ts'
import { up as moreChains } from './0130-more-chains.ts'
import { up as cardsToKeep } from './0131-cards-to-keep.ts'
import { up as cardsChosen } from './0132-cards-chosen.ts'
import { up as shownUnlocked } from './0133-shown-unlocked.ts'
import { up as exportedMedia } from './0134-exported-media.ts'
import { up as payoutExports } from './0135-payout-exports.ts'
import { up as takedownGrounds } from './0136-takedown-grounds.ts'
import { up as uploadsBlocked } from './0137-uploads-blocked.ts'
import { up as givenBack } from './0138-given-back.ts'
import { up as copiesOfFiles } from './0139-copies-of-files.ts'
import { up as nothingOldByEmail } from './0140-nothing-old-by-email.ts'
import { up as toldOfCreators } from './0141-told-of-creators.ts'
import { up as copiesOfGifs } from './0142-copies-of-gifs.ts'
import { up as donorsAreNobodysFans } from './0143-donors-are-nobodys-fans.ts'
import { up as donationsAreNobodysSales } from './0144-donations-are-nobodys-sales.ts'
import { up as emptiedConversations } from './0145-emptied-conversations.ts'
import { up as auditLogRead } from './0146-audit-log-read.ts'

/** All migrations in their order; one that has landed is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-accounts': { up: accounts },
  '0002-media': { up: media },
  '0003-purchases': { up: purchases },
  '0004-ledger': { up: ledger },
  '0005-operations': { up: operations },
  '0006-restricted-regions': { up: restrictedRegions },
  '0007-account-security': { up: accountSecurity },
  '0008-account-lifecycle': { up: accountLifecycle },
  '0009-age-gate': { up: ageGate },
  '0010-media-library': { up: mediaLibrary },
  '0011-search': { up: search },
  '0012-senators': { up: senators },
  '0013-uploads': { up: uploads },
  '0014-deleted-media': { up: deletedMedia },
  '0015-unlocked-feeds': { up: unlockedFeeds },
  '0016-entitlements': { up: entitlements },
  '0017-field-terms': { up: fieldTerms },
  '0018-installation': { up: installation },
  '0019-processing': { up: processing },
  '0020-people': { up: people },
  '0021-identity': { up: identity },
  '0022-jobs': { up: jobs },
  '0023-speed': { up: speed },
  '0024-published-media': { up: publishedMedia },
  '0025-money': { up: money },
  '0026-unlocked': { up: unlocked },
  '0027-fan-privacy': { up: fanPrivacy },
  '0028-discover': { up: discover },
  '0029-fan-home': { up: fanHome },
  '0030-library': { up: library },
  '0031-offer-contents': { up: offerContents },
  '0032-ledger': { up: ledgerAccounts },
  '0033-orders': { up: orders },
  '0034-refunds': { up: refunds },
  '0035-findings': { up: findings },
  '0036-renewals': { up: renewals },
  '0037-cards': { up: cards },
  '0038-offers': { up: offers },
  '0039-disputes': { up: disputes },
  '0040-free-months': { up: freeMonths },
  '0041-deliveries': { up: deliveries },
  '0042-messages': { up: messages },
  '0043-custom-requests': { up: customRequests },
  '0044-mass-messages': { up: massMessages },
  '0045-notification-channels': { up: notificationChannels },
  '0046-message-storing': { up: messageStoring },
  '0047-forum': { up: forum },
  '0048-schedule': { up: schedule },
  '0049-inbox': { up: inbox },
  '0050-attribution': { up: attribution },
  '0051-candidate-order': { up: candidateOrder },
  '0052-slots': { up: slots },
  '0053-post-offers': { up: postOffers },
  '0054-forum-allowance': { up: forumAllowance },
  '0055-referrals': { up: referrals },
  '0056-evidence-holds': { up: evidenceHolds },
  '0057-writers': { up: writers },
  '0058-messages-kept': { up: messagesKept },
  '0059-subreddit-changes': { up: subredditChanges },
  '0060-posting': { up: posting },
  '0061-findings': { up: findingOwners },
  '0062-plans': { up: plans },
  '0063-shared-code-invitations': { up: sharedCodeInvitations },
  '0065-gateway-notices': { up: gatewayNotices },
  '0066-record-chains': { up: recordChains },
  '0067-unknown-refunds': { up: unknownRefunds },
  '0068-subscription-terms': { up: subscriptionTerms },
  '0069-price-changes': { up: priceChanges },
  '0070-earnings': { up: earnings },
  '0071-bank-details': { up: bankDetails },
  '0074-bundle-reductions': { up: bundleReductions },
  '0075-checks-by-index': { up: checksByIndex },
  '0076-conversing-fans': { up: conversingFans },
  '0077-settlements': { up: settlements },
  '0078-subreddit-affiliates': { up: subredditAffiliates },
  '0080-renewal-orders': { up: renewalOrders },
  '0081-price-told': { up: priceTold },
  '0084-whole-files': { up: wholeFiles },
  '0085-second-looks': { up: secondLooks },
  '0086-written': { up: written },
  '0087-dispute-shares': { up: disputeShares },
  '0088-adjustments': { up: adjustments },
  '0089-rests': { up: rests },
  '0092-timeline-live': { up: timelineLive },
  '0093-kept-accounts': { up: keptAccounts },
  '0094-payments-by-status': { up: paymentsByStatus },
  '0095-card-lookups': { up: cardLookups },
  '0097-chat': { up: chat },
  '0098-up-at': { up: upAt },
  '0099-deleted-messages': { up: deletedMessages },
  '0100-forum-kind': { up: forumKind },
  '0101-nsfw-and-clashes': { up: nsfwAndClashes },
  '0102-leaving-requests': { up: leavingRequests },
  '0103-refused-refunds': { up: refusedRefunds },
  '0104-message-versions': { up: messageVersions },
  '0105-disputed-payments': { up: disputedPayments },
  '0106-months-of-the-books': { up: monthsOfTheBooks },
  '0109-refunds-sent-elsewhere': { up: refundsSentElsewhere },
  '0111-lines-of-documents': { up: linesOfDocuments },
  '0112-refunds-in-part-elsewhere': { up: refundsInPartElsewhere },
  '0113-shares-on-hold': { up: sharesOnHold },
  '0116-renewals-before-free-months': { up: renewalsBeforeFreeMonths },
  '0117-refunds-not-made': { up: refundsNotMade },
  '0118-refunds-made-after-all': { up: refundsMadeAfterAll },
  '0121-days-of-payments': { up: daysOfPayments },
  '0123-reminders-due': { up: remindersDue },
  '0125-settlements-failed': { up: settlementsFailed },
  '0126-shown-past-due': { up: shownPastDue },
  '0127-settled-after-all': { up: settledAfterAll },
  '0128-taken-down': { up: takenDown },
  '0129-commissions-withheld': { up: commissionsWithheld },
  '0130-more-chains': { up: moreChains },
  '0131-cards-to-keep': { up: cardsToKeep },
  '0132-cards-chosen': { up: cardsChosen },
  '0133-shown-unlocked': { up: shownUnlocked },
  '0134-exported-media': { up: exportedMedia },
  '0135-payout-exports': { up: payoutExports },
  '0136-takedown-grounds': { up: takedownGrounds },
  '0137-uploads-blocked': { up: uploadsBlocked },
  '0138-given-back': { up: givenBack },
  '0139-copies-of-files': { up: copiesOfFiles },
  '0140-nothing-old-by-email': { up: nothingOldByEmail },
  '0141-told-of-creators': { up: toldOfCreators },
  '0142-copies-of-gifs': { up: copiesOfGifs },
  '0143-donors-are-nobodys-fans': { up: donorsAreNobodysFans },
  '0144-donations-are-nobodys-sales': { up: donationsAreNobodysSales },
  '0145-emptied-conversations': { up: emptiedConversations },
  '0146-audit-log-read': { up: auditLogRead },
}
