/** Why a payment of a batch that its processor rejected can't be refunded. */
const inFailedBatch = (batch: string) =>
  `The gateway couldn’t settle ${batch}, so it can’t be refunded yet. Ask the gateway’s support to reset the batch within 30 days. Once a later batch has settled the payment, refund it again.`

/** The same with the batch's number. */
export const inBatchThatFailed = (number: string): string =>
  inFailedBatch(`batch ${number} with this payment`)

/** Why a payment isn't refunded that has changed since it was shown; `left` as shown now. */
export const leftOfPayment = (left: string): string =>
  `This payment has changed since you opened it: ${left} is left.`

/** Refusals of what is sold, bought and paid out. */
export const commerceErrors = {
  card_declined: {
    status: 402,
    text: 'Your card was declined. You have not been charged. Try another card.',
  },
  card_address_mismatch: {
    status: 402,
    text: 'Your bank couldn’t match this address. You have not been charged. Check the ZIP code and try again.',
  },
  card_token_expired: {
    status: 402,
    text: 'Your card details have expired. You have not been charged. Please enter them again.',
  },
  payment_refused: {
    status: 402,
    text: 'The payment was refused. You have not been charged. Please check the card details.',
  },
  gateway_unreachable: {
    status: 402,
    text: 'The payment service can’t be reached. You have not been charged. Please try again in a few minutes.',
  },
  payment_interrupted: {
    status: 402,
    text: 'The payment was interrupted. You have not been charged. Please try again.',
  },
  card_not_found: { status: 404, text: 'We couldn’t find this card. It may have been removed.' },
  card_expired: { status: 409, text: 'This card has expired. Use another card.' },
  card_gone: {
    status: 402,
    text: 'The payment service no longer has this card. You have not been charged. Use another card.',
  },
  card_required: { status: 400, text: 'Choose a card to pay with.' },
  card_refused: {
    status: 402,
    text: 'The payment service couldn’t save this card. Please check the details and try again.',
  },
  card_unconfirmed: {
    status: 402,
    text: 'We couldn’t confirm this card yet. We’ll keep checking, and it appears here once it’s saved.',
  },
  card_addition_in_progress: {
    status: 409,
    text: 'We’re still checking the last card you added. Please try again in a few minutes.',
  },
  card_being_removed: {
    status: 409,
    text: 'This card is still being removed. Please add it again in a few minutes.',
  },
  too_many_cards: { status: 409, text: 'You can save up to 10 cards. Remove one in your billing first.' },
  cards_paused: {
    status: 429,
    text: 'Your last two cards were declined. Please wait 5 minutes, then try another card.',
  },
  too_many_card_attempts: {
    status: 429,
    text: 'Too many payment attempts. Please try again later, or contact us.',
  },
  item_not_found: { status: 404, text: 'This item isn’t for sale.' },
  already_owned: { status: 409, text: 'You already have this.' },
  already_subscribed: { status: 409, text: 'Already Subscribed!' },
  purchase_disputed: {
    status: 409,
    text: 'Your bank is still deciding on your payment for this or for part of it. Once it decides, you’ll get that back or can buy it again.',
  },
  subscription_not_found: { status: 404, text: 'We couldn’t find this subscription.' },
  fan_unavailable: { status: 409, text: 'You can’t give this person anything from this creator right now.' },
  already_paying: {
    status: 409,
    text: 'This person already has a paid subscription. Extend it by months instead.',
  },
  not_subscribed: {
    status: 409,
    text: 'This person doesn’t have this subscription now. Give them free days instead.',
  },
  renewal_unpaid: {
    status: 409,
    text: 'A renewal of this subscription is unpaid. It can be extended once that’s paid.',
  },
  renewal_in_progress: {
    status: 409,
    text: 'This subscription is being renewed right now. Please try again in a few minutes.',
  },
  subscription_ended: { status: 409, text: 'This subscription has ended. You can subscribe again.' },
  term_not_offered: {
    status: 409,
    text: 'This subscription is no longer sold for that long. Choose another length.',
  },
  price_change_over: {
    status: 409,
    text: 'This price change is no longer open. Your price stays the same.',
  },
  price_change_charging: {
    status: 409,
    text: 'The new price is being charged right now, so you can’t decline it. You can cancel your subscription instead.',
  },
  price_change_open: {
    status: 409,
    text: 'The price of this subscription is about to change. You can change its length after that.',
  },
  term_unchangeable: {
    status: 409,
    text: 'This subscription doesn’t renew right now, so its length can’t be changed.',
  },
  not_renewable: { status: 409, text: 'This subscription isn’t for sale anymore, so it can’t be resumed.' },
  purchase_in_progress: {
    status: 409,
    text: 'We’re still checking your last payment for this. You will not be charged twice.',
  },
  no_longer_sold: { status: 409, text: 'This is no longer for sale. You have not been charged.' },
  was_sold: {
    status: 409,
    text: 'Someone already has this, so it can’t be deleted. You can stop selling it instead.',
  },
  price_changed: { status: 409, text: 'The price has changed. Please review it before you buy.' },
  contents_changed: {
    status: 409,
    text: 'The contents have changed. Please review them before you buy.',
  },
  delivery_changed: {
    status: 409,
    text: 'The delivery time has changed. Please review it before you buy.',
  },
  past_due_changed: {
    status: 409,
    text: 'What you owe has changed. You have not been charged. Please review it and try again.',
  },
  no_longer_available: {
    status: 409,
    text: 'This is no longer available, so we reversed the charge.',
  },
  refund_in_progress: { status: 409, text: 'We’re still checking another refund of this payment.' },
  payment_changed: {
    status: 409,
    text: 'This payment has changed since you opened it.',
  },
  own_refund: {
    status: 409,
    text: 'You can’t refund your own purchase. Ask someone else with access.',
  },
  refund_changed: { status: 409, text: 'This refund has changed. Close this and look at it again.' },
  refund_outside: {
    status: 409,
    text: 'A refund of this payment is being sent another way. Record it or take it back first.',
  },
  outside_not_started: {
    status: 409,
    text: 'Choose “Send another way” first, so that the gateway doesn’t refund it too.',
  },
  document_recorded: {
    status: 409,
    text: 'Another refund of this payment has this document number.',
    field: 'document',
  },
  not_refundable: { status: 409, text: 'This payment can’t be refunded.' },
  refunded_at_gateway: {
    status: 409,
    text: 'This, or part of it, was refunded at the gateway itself. Refund a smaller amount, or, once nothing is left to refund there, refund it here to record it. If this is another refund, resolve the one at the gateway first. If the gateway tells us nothing more, you can refund it here after 3 days.',
  },
  gateway_refunds_unknown: {
    status: 409,
    text: 'We couldn’t check whether this was refunded at the gateway itself. Please try again in a few minutes.',
  },
  rest_not_refused: {
    status: 409,
    text: 'Some of this charge was refunded at the gateway itself. We’ll ask it to refund the rest within a day. If it refuses, or doesn’t tell us within 3 days how much was refunded, you can send the rest another way.',
  },
  refund_exceeds_payment: {
    status: 409,
    text: 'That’s more than is left of this payment. Enter a smaller amount.',
    field: 'amount',
  },
  refund_refused: {
    status: 402,
    text: 'The payment service refused this refund. Parts of a payment can be refunded once it has settled, usually the next day.',
  },
  refund_batch_failed: { status: 402, text: inFailedBatch('this payment’s batch') },
  offer_not_found: { status: 404, text: 'We couldn’t find this offer.' },
  offer_expired: { status: 409, text: 'Sorry, this offer is expired' },
  offer_redeemed: { status: 409, text: 'You have already redeemed this offer' },
  offer_unavailable: { status: 403, text: "You don't have access to this page" },
  offer_used_up: { status: 409, text: 'Sorry, this offer has been claimed as many times as it allows.' },
  offer_has_price: { status: 409, text: 'This offer has a price. Buy it to redeem it.' },
  offer_not_cheaper: {
    status: 400,
    text: 'Enter a price below the regular one.',
    field: 'price',
  },
  not_disputable: {
    status: 409,
    text: 'Only a charged payment that the bank hasn’t already taken back can be disputed.',
  },
  dispute_exceeds_payment: {
    status: 409,
    text: 'That’s more than the bank can still take back of this payment. Enter a smaller amount.',
    field: 'amount',
  },
  dispute_respond_by: { status: 400, text: 'Enter today or a later day.', field: 'respondBy' },
  dispute_recorded: { status: 409, text: 'This dispute is already recorded.', field: 'caseNumber' },
  own_dispute: {
    status: 409,
    text: 'You can’t record or decide a dispute of your own purchase or sale. Ask someone else with access.',
  },
  dispute_decided: { status: 409, text: 'This dispute was already decided.' },
  tip_amount: { status: 400, text: 'Choose a tip of $1 to $500.', field: 'amount' },
  own_item: { status: 409, text: 'This is yours, so there’s no need to buy it.' },
  statement_not_found: { status: 404, text: 'There’s no statement for this month.' },
  payout_not_found: { status: 404, text: 'We couldn’t find this payout.' },
  export_not_found: {
    status: 404,
    text: 'This file is older than 90 days, or somebody in it deleted their account.',
  },
  export_outdated: {
    status: 409,
    text: 'A payout in this file failed or came back, so it can’t be sent again.',
  },
  payout_changed: { status: 409, text: 'This payout has changed since you opened it.' },
  subreddit_too_small: { status: 409, text: 'A subreddit needs at least 1,000 subscribers.' },
  subreddit_affiliated: { status: 409, text: 'This subreddit is already in the program.' },
  application_open: { status: 409, text: 'You already applied for this subreddit.' },
  too_many_applications: {
    status: 409,
    text: 'You have 10 open applications. Wait until some of them are decided.',
  },
  application_decided: {
    status: 409,
    text: 'This application is already decided.',
  },
  own_application: {
    status: 409,
    text: 'You can’t approve a share of your own. Ask someone else with access.',
  },
  referrer_unavailable: {
    status: 409,
    text: 'This person’s account is suspended or being deleted, so nothing can be paid to them.',
  },
  share_not_held: { status: 409, text: 'No share of this subreddit is held.' },
  own_payout: {
    status: 409,
    text: 'You can’t make this decision about your own payout. Ask someone else with access.',
  },
  own_recovery: {
    status: 409,
    text: 'You recorded that an earlier payout of theirs failed or came back. Someone else with access has to approve this one.',
  },
  payout_suspended: {
    status: 409,
    text: 'This person is suspended. End the suspension first, or cancel the payout.',
  },
  no_commissions: { status: 409, text: 'This person has no pending commissions.' },
  finding_resolved: { status: 409, text: 'This difference is already resolved.' },
  adjustment_not_found: { status: 404, text: 'We couldn’t find this adjustment.' },
  adjustment_alone: {
    status: 409,
    text: 'No one else can approve this. Confirm to post it now.',
  },
  adjustment_entered: {
    status: 409,
    text: 'This document is already in the list. If it’s waiting for approval, ask someone else to approve it. For a different line of the document, add the line, as in INV-7/2.',
    field: 'reference',
  },
  adjustment_date: { status: 400, text: 'Enter the document’s date, today or earlier.', field: 'date' },
  adjustment_decided: {
    status: 409,
    text: 'This adjustment was already approved or declined.',
  },
  own_adjustment: {
    status: 409,
    text: 'You can’t approve an adjustment that you entered. Ask someone else with access.',
  },
  adjustment_lapsed: {
    status: 409,
    text: 'The person who entered this no longer has access. Decline it, and enter it again.',
  },
  payouts_on_hold: {
    status: 409,
    text: 'Payouts are on hold because our payments don’t match the gateway’s. Resolve the differences first.',
  },
  bank_details_required: {
    status: 409,
    text: 'Add your bank details first, so we know where to send the money.',
  },
  payout_below_minimum: { status: 400, text: 'The smallest payout is $20.', field: 'amount' },
  payout_exceeds_balance: {
    status: 409,
    text: 'That’s more than your available balance. Enter a smaller amount.',
    field: 'amount',
  },
  price_too_low: { status: 400, text: 'This price is too low. Enter a higher one.', field: 'price' },
  must_include_price: { status: 400, text: 'Must include price', field: 'price' },
  webhook_signature_invalid: {
    status: 400,
    text: 'This webhook isn’t signed with the signature key of the payment account.',
  },
} as const
