import type { Account, Adjustment } from './api.ts'

/** The platform's own accounts. */
export const accountTexts: Record<Account, string> = {
  bank: 'Bank account',
  gateway: 'Gateway',
  processor_fees: 'Processor fees',
  dispute_fees: 'Dispute fees',
  suspense: 'Suspense',
}

/** The platform's own accounts and their adjustments, for operators. */
export const booksTexts = {
  title: 'Books',
  lead: 'The platform’s account balances, to check against bank statements and processor invoices.',
  accounts: 'Accounts',
  accountsFailed: 'We couldn’t load the accounts',
  accountsHint: 'Debit balances are positive, credit balances negative (−).',
  suspenseHeld: (amount: string) =>
    `${amount.replace('-', '−')} in suspense is owed to moderators of subreddits. Leave it there.`,
  adjustments: 'Adjustments',
  showing: 'Show',
  open: 'To approve',
  all: 'All',
  failed: 'We couldn’t load the adjustments',
  none: 'No adjustments yet',
  noneWhy: 'Enter a line from a bank statement or an invoice, and it appears here.',
  noneOpen: 'Nothing to approve',
  noneOpenWhy: 'What another operator enters waits here for a second approval.',
  download: 'Download CSV',
  moved: (from: Account, to: Account) => `${accountTexts[from]} to ${accountTexts[to].toLowerCase()}`,
  entered: (username: string, date: string) => `Entered by ${username} on ${date}`,
  decided: {
    posted: (username: string, reason: string) => `Approved by ${username}: “${reason}”`,
    declined: (username: string, reason: string) => `Declined by ${username}: “${reason}”`,
  },
} as const

/** A month of the books. */
export const monthTexts = {
  title: 'By month',
  month: 'Month',
  soFar: (month: string) => `${month}, so far`,
  failed: 'We couldn’t load the month',
  download: 'Download month as CSV',
  sold: 'Sales',
  refunded: 'Refunds',
  share: 'Platform’s share',
  processorFees: 'Processor fees',
  disputeFees: 'Dispute fees',
  disputeLosses: 'Dispute losses',
  earned: 'Platform earned',
  owed: 'Owed to creators and referrers',
  payouts: 'Payouts in progress',
  hint: 'Months are in UTC. The platform’s share is what it keeps of sales, less commissions and its part of refunds. Amounts owed and payouts in progress are as of the end of the month.',
} as const

export const adjustmentStatusTexts: Record<Adjustment['status'], string> = {
  proposed: 'Waiting for approval',
  posted: 'In the books',
  declined: 'Declined',
}

/** The form of an adjustment. */
export const adjustmentTexts = {
  add: 'New adjustment',
  about:
    'Enter a line from a bank statement or an invoice. It goes into the books once a second person approves it.',
  examples: 'Which accounts to choose',
  usual: [
    'The processor’s invoice: from the bank account to processor fees.',
    'The fee of a dispute recorded here, once the bank takes it: from the bank account to the gateway.',
    'What the bank gives back after a dispute was won: from the gateway to the bank account.',
    'Unexplained money that you send back: from the bank account to suspense.',
  ],
  from: 'From',
  to: 'To',
  amount: 'Amount',
  reference: 'Document number',
  referenceHint:
    'Each number is entered once. For a document with several lines, add the line, as in INV-7/2.',
  date: 'Document date',
  enter: 'Enter adjustment',
  waits: 'Waiting for a second approval',
  posted: 'It’s in the books',
  aloneTitle: 'Post this adjustment now?',
  alone: (amount: string, from: Account, to: Account) =>
    `${amount} moves from “${accountTexts[from]}” to “${accountTexts[to]}”.`,
  aloneEffect:
    'No one else can approve it, so it goes into the books right away. It can’t be changed or deleted; a mistake takes another adjustment, the other way around.',
  aloneConfirm: 'Post adjustment',
  lost: 'This adjustment isn’t entered yet.',
} as const

/** Decisions about an adjustment. */
export const decisions = {
  approve: {
    button: 'Approve',
    title: (amount: string) => `Approve the adjustment of ${amount}?`,
    effect: 'Compare it with the document first. It goes into the books and can’t be changed after that.',
    done: 'It’s in the books',
  },
  decline: {
    button: 'Decline',
    title: (amount: string) => `Decline the adjustment of ${amount}?`,
    effect: 'Nothing goes into the books, and the document can be entered again.',
    done: 'Adjustment declined',
  },
  takeBack: {
    button: 'Take back',
    title: (amount: string) => `Take back the adjustment of ${amount}?`,
    effect: 'Nothing goes into the books, and the document can be entered again.',
    done: 'Adjustment taken back',
  },
} as const
