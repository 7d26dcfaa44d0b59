import type { Kind } from '../../../../contract/orders.ts'
import { formatCount, formatNumber } from '../../../ui/format.ts'
import type { Source, Transaction } from './api.ts'

/** A creator's earnings and a fan's payments. */
export const texts = {
  creator: { title: 'Earnings', lead: 'What fans paid, the platform fee, and your share.' },
  fan: { title: 'Payments', lead: 'What you paid, newest first.' },
  share: 'Your share',
  commissions: 'Commissions',
  gross: 'Gross',
  fee: 'Platform fee',
  spent: 'Total spent',
  afterRefunds: 'All time, after refunds and disputes.',
  failed: 'We couldn’t load your transactions',
  nothingSold: 'No sales yet',
  nothingSoldWhy: 'Every sale appears here the moment it happens, with the fee and your share.',
  seeShop: 'See what you sell',
  nothingPaid: 'No payments yet',
  nothingPaidWhy: 'What you buy appears here with its date and price.',
  browse: 'Browse All Content',
  chart: {
    title: 'Over time',
    label: 'Your share over time',
    range: 'Range',
    days: (days: number) => `Last ${days} days`,
    months: (months: number) => `Last ${months} months`,
    all: 'All time',
    day: 'Day',
    month: 'Month',
    sales: 'Sales',
    summary: (share: string, sales: number) => `${share} from ${formatCount(sales, 'sale')}, before refunds`,
    failed: 'We couldn’t load your earnings',
  },
  breakdown: {
    sources: 'By source',
    items: 'Top items',
    fans: 'Top fans',
    none: 'Nothing sold in this range',
    noItems: 'No items sold in this range',
    failed: 'We couldn’t load where your earnings came from',
    sales: (count: number) => formatCount(count, 'sale'),
    commissions: (count: number) => formatCount(count, 'commission'),
    before: 'Before refunds and disputes.',
    takenBack: (amounts: string[]) => `Taken back since: ${amounts.join(' and ')}.`,
    ofShare: (amount: string) => `${amount} of your share`,
    ofCommissions: (amount: string) => `${amount} of your commissions`,
  },
  statements: {
    title: 'Statements',
    lead: 'One for each finished month, in UTC.',
    none: 'Your first statement appears here once a month is over.',
    failed: 'We couldn’t load your statements',
    balance: (closing: string) => `Closing balance ${closing}`,
    download: 'PDF',
    downloadOf: (month: string) => `PDF of the statement for ${month}`,
    older: 'Older statements',
  },
  file: {
    title: 'Download transactions',
    about: 'A CSV file of every sale and purchase, newest first. Leave the dates empty for all of them.',
    from: 'From',
    to: 'To',
    wrongOrder: 'The last day is before the first.',
    download: 'Download CSV',
  },
  table: {
    title: 'Transactions',
    label: 'Transactions',
    search: 'Search transactions',
    show: 'Show',
    all: 'Sales and purchases',
    sales: 'Sales',
    purchases: 'Purchases',
    date: 'Date',
    item: 'Item',
    untitled: 'Untitled',
    kind: 'Type',
    person: 'Fan or creator',
    buyer: 'Fan',
    seller: 'Creator',
    soldTo: (username: string) => `Sold to ${username}`,
    boughtFrom: (username: string) => `Bought from ${username}`,
    status: 'Status',
    amount: 'Amount',
    returned: 'Returned',
    returnedOf: (amount: string) => `${amount} returned`,
    partlyReturned: 'Partly returned',
    refundedOf: (amount: string) => `${amount} refunded`,
    partlyRefunded: 'Partly refunded',
    canceled: 'Canceled',
    disputeLost: 'Dispute lost',
    download: 'Download CSV',
    downloadSome: (count: number) => `Download CSV (${formatNumber(count)})`,
    file: 'transactions.csv',
    none: (search: string) => (search ? `No results for “${search}”` : 'No results'),
    noneWhy: 'Try fewer words, or show everything.',
  },
} as const

const kinds: Record<Kind, string> = {
  subscription: 'Subscription',
  bundle: 'Bundle',
  single: 'Single',
  singles: 'Singles',
  message: 'Message',
  tip: 'Tip',
  donation: 'Tip for the site',
  custom: 'Custom request',
}

/** The kind of a purchase, in a word. */
export function kindText(kind: Kind): string {
  return kinds[kind]
}

const statuses: Readonly<Record<string, string>> = {
  captured: 'Paid',
  refunded: 'Refunded',
  disputed: 'Disputed',
  voided: 'Refunded',
  held: 'In review',
  submitting: 'Processing',
  unknown: 'Processing',
}

/** How a payment stands, in a word or two. */
export function statusText(status: string): string {
  return statuses[status] ?? status
}

/** How a sale or purchase stands now. */
export function standingText({ status, dispute, returned, byBank }: Transaction): string {
  if (dispute === 'lost') return texts.table.disputeLost
  // What was voided before it paid anything was never refunded.
  if (status === 'voided' && returned === null) return texts.table.canceled
  if (status !== 'captured' || returned === null) return statusText(status)
  return byBank ? texts.table.partlyReturned : texts.table.partlyRefunded
}

/** A creator's word for a product they sold: a custom request was asked for under their own name. */
export function soldTitle({ kind, title }: Pick<Transaction, 'kind' | 'title'>): string {
  return kind === 'custom' ? kindText(kind) : title || texts.table.untitled
}

/** Where earnings come from. */
export function sourceText(source: Source): string {
  return sourceTexts[source]
}

const sourceTexts: Record<Source, string> = {
  subscription: 'Subscriptions',
  bundle: 'Bundles',
  single: 'Singles',
  singles: 'Offered singles',
  message: 'Messages',
  tip: 'Tips',
  donation: 'Tips for the site',
  custom: 'Custom requests',
  commission: 'Referral commissions',
  subreddit: 'Subreddit program',
}
