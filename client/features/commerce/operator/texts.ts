import { isTip, type Kind, type PaymentStatus, type RefundStatus } from '../../../../contract/orders.ts'
import { formatCount, formatNumber } from '../../../ui/format.ts'
import type { Dispute, Finding, PaymentDetail } from './api.ts'

/** Everyone's payments, for operators. */
export const paymentTexts = {
  title: 'Payments',
  lead: 'Look up charges, issue refunds, and record disputes.',
  search: 'Search payments',
  searchHint: 'Username, email, or number',
  date: 'Date',
  item: 'Item',
  buyer: 'Buyer',
  creator: 'Creator',
  amount: 'Amount',
  status: 'Status',
  any: 'All',
  label: 'Payments',
  failed: 'We couldn’t load the payments',
  none: 'No payments yet',
  noneWhy: 'Every purchase appears here with its status.',
  noResults: (search: string) => `No results for “${search}”`,
  noResultsHint: 'Enter a whole username, email, or number.',
  noResultsStatus: (status: string) => `Only payments with the status “${status}” are shown.`,
  noneOf: (status: string) => `No payments with the status “${status}”`,
  noneOfHint: 'Choose another status to see more.',
  between: (buyer: string, creator: string) => `${buyer} to ${creator}`,
  refunded: (amount: string) => `${amount} refunded`,
  partlyRefunded: 'Partly refunded',
  partlyDisputed: 'Partly lost in a dispute',
  site: 'This site (a donation)',
} as const

/** Findings that stop payouts, and charges that couldn't be refunded. */
export const attentionTexts = {
  title: 'Needs attention',
  failed: 'We couldn’t load what needs attention',
  why: 'Payouts can’t be approved while a difference is open.',
  atGateway: (number: string) => `Gateway number ${number}`,
  invoice: (reference: string) => `Invoice number ${reference}`,
  document: (number: string) => `Document number ${number}`,
  since: (date: string) => `since ${date}`,
  owner: (username: string) => `${username} is on it`,
  noOwner: 'No one is on it yet',
  open: 'Open payment',
  take: 'Take it',
  takeNumber: (number: string) => `Take it, gateway number ${number}`,
  taken: 'It’s yours',
  resolve: 'Resolve',
  resolveNumber: (number: string) => `Resolve, gateway number ${number}`,
  resolveTitle: 'Resolve this difference?',
  resolveEffect:
    'Do this once you know what happened and have put it right. Payouts can be approved again when no difference is left.',
  resolved: 'Resolved',
} as const

/** Differences between our payments and the gateway's, and what to do. */
export const findingTexts: Record<Finding['kind'] | 'needless_charge', { title: string; todo: string }> = {
  needless_charge: {
    title: 'A charge that shouldn’t be there',
    todo: 'Its payment was voided here, or was charged under another number. Look it up at the gateway, and void or refund it there.',
  },
  unknown_charge: {
    title: 'A charge we don’t recognize',
    todo: 'Look it up at the gateway. If it isn’t ours, void or refund it there.',
  },
  charge_not_recorded: {
    title: 'A charge we recorded as not made',
    todo: 'We’re checking it again. It will either complete its order or be refunded.',
  },
  amount_differs: {
    title: 'A different amount was charged',
    todo: 'Compare it with the gateway, and refund the difference.',
  },
  payment_without_charge: {
    title: 'A payment the gateway doesn’t list',
    todo: 'Look it up at the gateway. If it was voided there, refund it here.',
  },
  chargeback_not_recorded: {
    title: 'A chargeback no one has recorded',
    todo: 'The gateway says the buyer’s bank took this payment back. Open the payment and record the dispute.',
  },
  unknown_refund: {
    title: 'A refund made at the gateway',
    todo: 'Find out who made it and why. Access and earnings haven’t changed here.',
  },
  refund_not_made: {
    title: 'A refund the gateway didn’t make',
    todo: 'It was voided at the gateway, or failed there. The buyer was told they’d get it, so send it to them.',
  },
  refund_made_after_all: {
    title: 'A refund the gateway made after all',
    todo: 'Someone on your team already took care of it as a refund that wasn’t made. If the money was sent another way, the buyer has it twice.',
  },
  settlement_differs: {
    title: 'A settled batch that differs from our payments',
    todo: 'Compare the batch with the gateway. If money was charged back, record the dispute. Once you resolve it, it goes to the bank account and the difference to suspense.',
  },
  settlement_failed: {
    title: 'A batch the gateway couldn’t settle',
    todo: 'Its money won’t arrive until a later batch settles it. Ask the gateway’s support to reset it within 30 days. If you resolve it here instead, the difference goes to suspense.',
  },
  settled_after_all: {
    title: 'A batch that settled what an earlier one couldn’t',
    todo: 'Someone on your team resolved the earlier batch, so this amount is in suspense. In Books, enter an adjustment from suspense to the gateway (the other way round if it’s negative), and then resolve this.',
  },
}

/** Which of these texts a difference has: an unknown charge that has a payment is ours. */
export const concernOf = ({ kind, transactionId }: Pick<Finding, 'kind' | 'transactionId'>) =>
  kind === 'unknown_charge' && transactionId ? 'needless_charge' : kind

/** Settled batches. */
export const settlementTexts = {
  title: 'Settled batches',
  lead: 'What the gateway settled each day, and whether it’s on its way to the bank account.',
  failed: 'We couldn’t load the settled batches',
  none: 'No settled batches yet',
  noneWhy: 'The gateway settles once a day. Each batch appears here the day after.',
  date: 'Date',
  number: 'Batch',
  batch: (number: string) => `Batch ${number}`,
  status: 'Status',
  chargedOf: 'Charged',
  charged: (amount: string) => `${amount} charged`,
  refundedOf: 'Refunded',
  refunded: (amount: string) => `${amount} refunded`,
  chargedBackOf: 'Charged back',
  chargedBack: (amount: string) => `${amount} charged back`,
  differenceOf: 'Gateway minus ours',
  difference: (amount: string) => `Gateway minus ours: ${amount.replace('-', '−')}`,
  net: 'Total',
  states: { posted: 'In the books', differs: 'Differs', waiting: 'Compared tomorrow' },
} as const

/** A charge that grants nothing and is still there. */
export const stuckTexts = {
  title: 'A charge we couldn’t refund',
  todo: 'It granted nothing. Refund it at the gateway, or if the card is closed, open the payment, choose “Send another way”, and then “Record refund made elsewhere”.',
} as const

/** Payments that somebody has to decide at the gateway, or give back another way. */
export const undecidedTexts = {
  held: {
    title: 'A payment under review at the gateway',
    todo: 'Approve or decline it there. Until then the buyer can’t pay for it again.',
  },
  unknown: {
    title: 'A payment with no response for more than a day',
    todo: 'Find it at the gateway, and capture or void it there. Until then the buyer can’t pay for it again.',
  },
  refund_refused: {
    title: 'A refund the gateway refuses',
    todo: 'We try again every 6 hours. If the card is closed, open the payment, choose “Send another way”, and then “Record refund made elsewhere”. If the buyer or the creator deleted their profile, their data is kept until then.',
  },
  refund_outside: {
    title: 'A refund that’s being sent another way',
    todo: 'We don’t try it at the gateway meanwhile. Once it’s sent, open the payment and choose “Record refund made elsewhere”.',
  },
  refund_outside_over: {
    title: 'A refund sent another way that’s no longer owed',
    todo: 'Its charge was voided or refunded meanwhile, so don’t send it as well. If it hasn’t been sent yet, open the payment and choose “Stop sending it another way”. If it has, choose “Record refund made elsewhere”.',
  },
  refund_waiting: {
    title: 'A refund that’s been waiting for more than a day',
    todo: 'Part of this payment was sent another way, and the gateway doesn’t tell us what was refunded there, so we don’t ask it for more yet. We keep trying. Check that the gateway answers, or contact its support.',
  },
  transfer_missing: {
    title: 'A refund made elsewhere that doesn’t match Books',
    todo: 'Enter the transfer in Books, with the same document number, as an adjustment from the bank account to the gateway, unless it’s already waiting there for approval. If it’s there with another amount, enter the difference as another line of the document, as in WIRE-7/2.',
  },
} as const

const WHY_WITHHELD = { suspended: 'was suspended', leaving: 'was deleting their account' } as const

/** One payment, for operators. */
export const detailTexts = {
  title: 'Payment',
  failed: 'We couldn’t load this payment',
  back: 'All payments',
  amount: 'Amount',
  status: 'Status',
  kind: 'Type',
  buyer: 'Buyer',
  creator: 'Creator',
  fee: 'Platform fee',
  share: 'Creator’s share',
  commission: 'Referral commission',
  commissionTo: (amount: string, referrer: string) =>
    `${amount} to ${referrer}, paid out of the platform fee.`,
  withheld: 'Commission withheld',
  withheldFrom: (amount: string, referrer: string, reason: 'suspended' | 'leaving') =>
    `${amount} from ${referrer}, who ${WHY_WITHHELD[reason]}. It stays in the platform fee.`,
  withheldReturned: (referrer: string, reason: 'suspended' | 'leaving') =>
    `From ${referrer}, who ${WHY_WITHHELD[reason]}. It went back to the buyer with the payment.`,
  refundable: 'Can be refunded',
  transaction: 'Transaction',
  ordered: 'Ordered',
  attempts: 'Attempts',
  attempt: (count: number) => `Attempt ${count}`,
  reference: (reference: string) => `Reference ${reference}`,
  refunds: 'Refunds',
  titleOf: (amount: string) => `Payment · ${amount}`,
  item: 'Item',
  refund: 'Refund',
  refundOpen: 'Refund…',
  refundTitle: (title: string) => `Refund “${title}”`,
  refundHint: (amount: string, kind: Kind) =>
    `Up to ${amount}. ${isTip(kind) ? '' : 'The whole amount also ends access. '}A part can be refunded once the payment has settled.`,
  refundDone: (amount: string) => `${amount} refunded`,
  refundWaiting: 'The gateway hasn’t answered yet. We’ll keep checking.',
  dispute: 'Record dispute',
  disputes: 'Disputes',
} as const

/** How what the gateway refuses to give back is sent another way. */
export const outsideTexts = {
  sendOpen: 'Send another way…',
  send: 'Send another way',
  sendTitle: (title: string) => `Send the refund of “${title}” another way?`,
  sendEffect: (amount: string) =>
    `The gateway refused to refund ${amount}. We’ll stop asking it to refund this charge, so that the buyer isn’t refunded twice. Then send the money, such as by bank transfer, and record it here.`,
  begun: 'You’re sending it another way',
  sending: (amount: string, username: string, date: string) =>
    `${username} has been sending the refund of ${amount} another way since ${date}. The gateway won’t refund any of this charge meanwhile.`,
  sendingOver: (amount: string, username: string, date: string, status: string) =>
    `${username} has been sending the refund of ${amount} another way since ${date}. This charge was ${status} meanwhile, so don’t send ${amount} as well: if it hasn’t been sent yet, choose “Stop sending it another way”. If it has, record it.`,
  back: 'Stop sending it another way',
  backTitle: (title: string) => `Stop sending the refund of “${title}” another way?`,
  backEffect: (amount: string) =>
    `Do this only if ${amount} hasn’t been sent to the buyer. It can be refunded at the gateway again, and automatic refunds will be retried soon.`,
  backEffectDisputed: (amount: string) =>
    `Do this only if ${amount} hasn’t been sent to the buyer. Their bank is taking the payment back for them.`,
  backEffectOver: (amount: string, status: string) =>
    `Do this only if ${amount} hasn’t been sent to the buyer. They aren’t owed it anymore, as this charge was ${status}.`,
  takenBack: 'It’s no longer sent another way',
  record: 'Record refund made elsewhere',
  recordTitle: (title: string) => `Refund of “${title}” made elsewhere`,
  recordAbout: (amount: string) =>
    `Once you’ve sent ${amount} to the buyer another way, but not at the gateway itself, record it here: it counts as any refund. Then enter the transfer in Books, with the same document number, as an adjustment from the bank account to the gateway.`,
  recordAboutOver: (amount: string, status: string) =>
    `This charge was ${status} meanwhile, so the buyer isn’t owed ${amount} anymore. Record it only if it was sent. Then enter the transfer in Books, with the same document number, as an adjustment from the bank account to the gateway.`,
  document: 'Document number',
  documentHint: 'The number of the transfer, not of a refund at the gateway itself.',
} as const

/** From where a payment’s status came. */
export const sourceTexts: Record<PaymentDetail['attempts'][number]['events'][number]['source'], string> = {
  live: 'Checkout',
  lookup: 'Gateway lookup',
  webhook: 'Gateway message',
  settlement: 'Settlement',
  operator: 'Operator',
}

/** The same where nobody was at the checkout. */
export const unattendedSources = { renewal: 'Renewal', givenBack: 'Reversed automatically' } as const

export const paymentStatusTexts: Record<PaymentStatus, string> = {
  created: 'Started',
  submitting: 'Charging',
  captured: 'Paid',
  declined: 'Declined',
  held: 'Under review',
  refused: 'Failed',
  unknown: 'Being checked',
  voided: 'Voided',
  refunded: 'Refunded',
  disputed: 'Disputed',
}

export const refundStatusTexts: Record<RefundStatus, string> = {
  created: 'Started',
  submitting: 'Refunding',
  refunded: 'Refunded',
  voided: 'Voided',
  refused: 'Refused',
  unknown: 'Being checked',
}

/** Disputes, for operators. */
export const disputeTexts = {
  title: 'Disputes',
  lead: 'Payments disputed by a buyer’s bank. Respond to each one by its deadline.',
  showing: 'Show',
  open: 'Open',
  all: 'All',
  label: 'Disputes',
  failed: 'We couldn’t load the disputes',
  none: 'No open disputes',
  noneWhy: 'To record one, open its payment.',
  findPayment: 'Find a payment',
  ratio: 'Dispute rate, last 30 days',
  ratioOf: (disputes: number, payments: number) =>
    `${formatCount(disputes, 'dispute')} in ${formatCount(payments, 'payment')}`,
  ratioHint: 'Card networks step in at about 0.9%.',
  ratioOver: (times: number) =>
    `That’s ${times < 1.05 ? 'at' : `${formatNumber(Math.round(times * 10) / 10)} times`} the 0.9% limit where card networks step in.`,
  caseNumber: (number: string) => `Case ${number}`,
  respondBy: (date: string) => `Respond by ${date}`,
  respondLate: (date: string) => `Evidence was due ${date}`,
  late: 'Late',
  evidence: 'Evidence',
  evidenceOf: (caseNumber: string) => `Evidence for case ${caseNumber}`,
  evidenceFailed: 'We couldn’t load the evidence',
  download: 'Download',
  file: (caseNumber: string) => `evidence-${caseNumber.replace(/[^\w-]+/g, '-')}.txt`,
  record: 'Record dispute',
  recordAbout: 'Access ends now, and the creator’s share is on hold until the bank decides.',
  recordAboutTip: 'The creator’s share is on hold until the bank decides.',
  recordAboutGivenBack:
    'This payment was already refunded, so the platform covers what the bank takes. Nothing changes for the creator.',
  recordAboutSending: (amount: string) =>
    `A refund of ${amount} is being sent another way. If it hasn’t been sent yet, choose “Stop sending it another way” instead of sending it, as the bank pays the buyer back. If it has, it can still be recorded.`,
  amount: 'Disputed amount',
  fee: 'Bank’s fee',
  cause: 'Bank’s reason',
  causeEffect: {
    fraud:
      'We remove this card from the buyer’s account. Subscriptions that renew with it will ask for another one.',
  } as Partial<Record<Dispute['cause'], string>>,
  case: 'Case number',
  due: 'Respond by',
  dueHint: 'The last day the bank accepts evidence, if it names one.',
  reason: 'Note',
  recorded: 'Dispute recorded',
  lost: 'The dispute isn’t recorded yet.',
} as const

export const causeTexts: Record<Dispute['cause'], string> = {
  fraud: 'Fraud',
  not_received: 'Not received',
  not_as_described: 'Not as described',
  duplicate: 'Charged twice',
  canceled: 'Canceled',
  other: 'Other',
}

export const disputeStatusTexts: Record<Dispute['status'], string> = {
  open: 'Open',
  won: 'Won',
  lost: 'Lost',
}

/** Recording the bank's decision. */
export const outcomes = {
  won: {
    button: 'Mark as won',
    title: (amount: string) => `Mark the dispute of ${amount} as won`,
    effect: 'The money is back, the creator’s share is no longer on hold, and the buyer has access again.',
    tipEffect: 'The money is back, and the creator’s share is no longer on hold.',
    done: 'Dispute marked as won',
  },
  lost: {
    button: 'Mark as lost',
    title: (amount: string) => `Mark the dispute of ${amount} as lost`,
    effect:
      'The buyer keeps the money. Everyone who earned from it gives back their share. If that’s all of the payment, access stays ended; otherwise the buyer has access again. This can’t be undone.',
    tipEffect:
      'The buyer keeps the money. Everyone who earned from it gives back their share. This can’t be undone.',
    done: 'Dispute marked as lost',
  },
} as const
