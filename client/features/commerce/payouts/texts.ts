import { formatCount, formatNumber } from '../../../ui/format.ts'
import type { AnyPayout } from './api.ts'

/** A person's balance and payouts. */
export const payoutTexts = {
  title: 'Balance',
  available: 'Available',
  pending: 'Pending',
  pendingHint: 'Each sale becomes available after 7 days, a custom request 7 days after its delivery is due.',
  reserved: 'On hold',
  reservedHint:
    'Amounts stay on hold until disputes with a card’s bank are decided and refunds of custom requests are sent.',
  onTheWay: 'Being paid out',
  paidOut: 'Paid out',
  owed: (amount: string) =>
    `Refunds and disputes took ${amount} more than you had available. Your next sales make up for it.`,
  failed: 'We couldn’t load your balance',
  request: 'Request payout',
  amount: 'Amount',
  amountHint: (available: string, minimum: string) =>
    `Up to ${available}. The smallest payout is ${minimum}.`,
  belowMinimum: (minimum: string) => `You can request a payout once ${minimum} is available.`,
  about: 'We review each request, then send the money to your bank.',
  requested: (amount: string) => `Payout of ${amount} requested`,
  payouts: 'Payouts',
  requestedOn: (date: string) => `Requested ${date}`,
  payoutsFailed: 'We couldn’t load your payouts',
  holds: {
    newDetails: (since: string, until: string) =>
      `On hold from ${since} to ${until}, because your bank details are new. You don’t need to do anything.`,
    noDetails: () => 'On hold until you add your bank details.',
    suspended: (since: string) => `On hold since ${since}, until your suspension ends.`,
    differences: (since: string) =>
      `On hold since ${since}, while we check our payments. You don’t need to do anything.`,
  },
} as const

/** Where a person is paid. */
export const bankTexts = {
  account: 'Bank account',
  none: 'Add your bank details to request payouts.',
  add: 'Add bank details',
  change: 'Change bank details',
  masked: (lastFour: string, country: string) => `Account ending in ${lastFour} · ${country}`,
  held: (date: string) => `To keep your money safe, payouts to this account start ${date}.`,
  title: 'Bank details',
  about:
    'Payouts go to this account. We store the details encrypted, email you about each change, and wait 3 days before we pay to a new account.',
  holder: 'Account holder',
  holderHint: 'Exactly as it appears on your bank account.',
  country: 'Bank’s country',
  routing: 'Routing number',
  routingHint: '9 digits.',
  number: 'Account number',
  iban: 'IBAN',
  swift: 'SWIFT code (BIC)',
  save: 'Save bank details',
  saved: 'Bank details saved',
} as const

/** A statement of anybody's, for operators. */
export const statementTexts = {
  open: 'Open a statement',
  title: 'Open a statement',
  about: 'Download the PDF for a completed month. Your name and reason go in the audit log.',
  username: 'Username',
  month: 'Month',
  monthHint: 'For example, 2026-10.',
  confirm: 'Download PDF',
} as const

/** Everyone's payouts, for operators. */
export const operatorTexts = {
  title: 'Payouts',
  lead: 'Review requests, send approved payouts to the bank, and record which ones were paid or returned.',
  showing: 'Show',
  open: 'Open',
  all: 'All',
  label: 'Payouts',
  failed: 'We couldn’t load the payouts',
  none: { open: 'No open payouts', all: 'No payouts yet' },
  more: 'Show more payouts',
  noneWhy: 'Requests from creators and referrers appear here.',
  export: 'Export for bank',
  exportTitle: 'Export approved payouts',
  exportEffect:
    'You get a CSV file of every approved payout, without those of suspended people or to new bank details. They’re then marked as in transit and aren’t exported again.',
  exportConfirm: 'Export CSV',
  exported: (count: number, total: string, held: number) =>
    `${formatCount(count, 'payout')} exported, ${total}${held > 0 ? `. ${formatNumber(held)} on hold` : ''}`,
  nothingToExport: (held: number) =>
    held > 0
      ? `${formatCount(held, 'approved payout')} on hold: the bank details are new or missing, or the person is suspended`
      : 'No payouts are approved',
  bank: (lastFour: string | null) => (lastFour ? `Account ending in ${lastFour}` : 'No bank details'),
  waits: (days: number) => `waiting ${formatCount(days, 'day')}`,
  sum: (count: number, total: string) => `${formatCount(count, 'open payout')}, ${total}`,
  holds: {
    newDetails: (since: string, until: string) =>
      `On hold from ${since} to ${until}: the bank details are new`,
    noDetails: () => 'On hold until they add bank details',
    suspended: (since: string) => `On hold since ${since}, until their suspension ends`,
    differences: (since: string) =>
      `On hold since ${since}, until the differences from the gateway are resolved`,
  },
  accountFlags: {
    suspended: 'Suspended: nothing is paid out to them until the suspension ends.',
    leaving: 'They deleted their profile. Their data is erased once their open payouts are done.',
  },
  needsAnother: {
    own: 'This is your own payout. Someone else with access has to approve it, or record that it failed or came back.',
    recovery:
      'You recorded that an earlier payout of theirs failed or came back. Someone else with access has to approve this one.',
  },
  owes: (amount: string) => `They owe ${amount}: more was refunded or disputed than they have available.`,
  recovered: (earlier: AnyPayout['recovered']) =>
    [
      ...earlier.map(
        ({ amount, status, by, reason }) =>
          `An earlier payout of ${amount} ${status === 'failed' ? 'failed' : 'came back'}, recorded by ${by.username} (“${reason}”).`,
      ),
      'Check with the bank before you approve.',
    ].join(' '),
  file: 'payouts.csv',
} as const

/** Files for the bank that were exported before. */
export const exportTexts = {
  title: 'Earlier exports',
  about: 'If a file didn’t reach you, download it again. It doesn’t change any payout.',
  failed: 'We couldn’t load the earlier exports',
  more: 'Show more exports',
  made: (date: string, name: string, reason: string) => `${date} · ${name} · ${reason}`,
  sum: (count: number, total: string) => `${formatCount(count, 'payout')}, ${total}`,
  gone: 'No file: files are kept for 90 days, and only while everyone in them has an account.',
  paid: (count: number) => `${formatCount(count, 'payout')} already paid`,
  outdated: (count: number) =>
    `${formatCount(count, 'payout')} failed or came back, so you can’t download this file again: sending it could pay somebody twice.`,
  download: 'Download again',
  downloadOf: (date: string) => `Download again, ${date}`,
  question: (date: string) => `Download the export of ${date} again`,
  effect:
    'You get the same file. Only send it to the bank if the bank doesn’t have it yet, or people are paid twice. Your name and reason go in the audit log.',
  confirm: 'Download CSV',
} as const

/** An operator's decisions about a payout: the question, and the message afterward. */
export const decisions = {
  approve: {
    button: 'Approve',
    title: (amount: string, name: string) => `Approve ${amount} for ${name}`,
    effect: 'It’s in the next export for the bank.',
    done: 'Payout approved',
  },
  cancel: {
    button: 'Cancel payout',
    title: (amount: string, name: string) => `Cancel ${amount} for ${name}`,
    effect: 'The money is back in their balance, and they see your reason.',
    done: 'Payout canceled',
  },
  paid: {
    button: 'Mark as paid',
    title: (amount: string, name: string) => `Mark ${amount} for ${name} as paid`,
    effect: 'Do this once the bank has confirmed it.',
    done: 'Payout marked as paid',
  },
  failed: {
    button: 'Mark as failed',
    title: (amount: string, name: string) => `Mark ${amount} for ${name} as failed`,
    effect: 'The money is back in their balance, and they see your reason.',
    done: 'Payout marked as failed',
  },
  returned: {
    button: 'Mark as returned',
    title: (amount: string, name: string) => `Mark ${amount} for ${name} as returned`,
    effect:
      'Do this once the money is back in your bank account. It’s back in their balance then, and they see your reason.',
    done: 'Payout marked as returned',
  },
} as const

/** How a payout stands, in a word or two. */
export const statusTexts = {
  requested: 'Requested',
  approved: 'Approved',
  in_transit: 'In transit',
  paid: 'Paid',
  failed: 'Failed',
  canceled: 'Canceled',
  returned: 'Returned by bank',
} as const

/** Commissions of somebody who broke the terms of the referral program. */
export const cancelTexts = {
  open: 'Cancel commissions',
  title: 'Cancel pending commissions',
  effect: 'All pending commissions of this person go back to the platform. It can’t be undone.',
  username: 'Username',
  confirm: 'Cancel commissions',
  done: (count: number, amount: string) => `${formatCount(count, 'commission')} canceled, ${amount}`,
} as const
