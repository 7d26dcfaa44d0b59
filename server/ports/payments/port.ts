/**
 * Functions of a card gateway. Amounts are integer cents of US dollars; every call has a time limit. A port method
 * never throws for failures of the gateway or the network: the outcome is a value.
 */
/** `billTo`: the address that the card's bill goes to, which its issuer checks; the gateway keeps it with a card that it stores. */
export type CardToken = { dataDescriptor: string; dataValue: string; billTo?: BillTo | undefined }
export type BillTo = { zip: string; address?: string | undefined }
export type StoredCard = { customerProfileId: string; paymentProfileId: string }

export type Charge = {
  /** Our own reference of this attempt, at most 20 characters; the same for a repeated look-up, new for a new attempt. */
  reference: string
  amountCents: number
  description: string
  source:
    | { token: CardToken; saveCard: boolean }
    /** With the card network's id of the charge that the card was kept with, where it is known. */
    | { storedCard: StoredCard; networkTransactionId?: string | null }
  /** `firstRecurring`: first payment of a subscription; `renewal`: a further one; `single`: a one-off with the fan present. */
  occasion: 'single' | 'firstRecurring' | 'renewal'
  /** `ip`: the address that the customer pays from; none when they aren't there. */
  customer: { id: string; email: string; ip?: string }
}

/** A card that the gateway keeps. `expires` is `2031-09`; null where the gateway doesn't say. */
export type CardOnFile = StoredCard & { brand: string; lastFour: string; expires: string | null }

export type StoreOutcome =
  | { kind: 'stored'; card: CardOnFile }
  /** The card's issuer said no; nothing was stored. */
  | { kind: 'declined'; reason: string }
  /** The gateway refused the request; nothing was stored. */
  | { kind: 'refused'; reason: string; tokenExpired: boolean }
  /** Nobody knows: list the customer's cards; never send it again. */
  | { kind: 'unknown'; detail: string }

/** One letter each for the buyer's address and the card's security code; null when the gateway said nothing of it. */
export type CardChecks = { avs: string | null; cvv: string | null }

export type Capture = {
  transactionId: string
  networkTransactionId: string | null
  card: { brand: string; lastFour: string }
  storedCard: StoredCard | null
  checks: CardChecks
}

/** The card's issuer said no. `reason` is the gateway's reason code; `hard` means this card must not be tried again. */
export type Decline = { reason: string; hard: boolean; checks: CardChecks }

export type ChargeOutcome =
  | ({ kind: 'approved' } & Capture)
  /** Taken for review: money may still move, nothing may be granted. */
  | { kind: 'held'; transactionId: string }
  | ({ kind: 'declined' } & Decline)
  /** The gateway refused the request before it became a transaction; certainly not charged. */
  | { kind: 'refused'; reason: string; tokenExpired: boolean }
  /** Nobody knows: time-out, broken connection, no readable answer. Look it up; never send it again. */
  | { kind: 'unknown'; detail: string }

export type LookupOutcome =
  | ({ kind: 'approved'; amountCents: number } & Capture)
  | { kind: 'held'; transactionId: string }
  | ({ kind: 'declined' } & Decline)
  | { kind: 'voided'; transactionId: string }
  /** It was approved, but its settlement failed: nobody is charged, unless the processor settles it again. */
  | { kind: 'unsettled' }
  /** The gateway knows no transaction of that reference (yet: what was accepted may show up late). */
  | { kind: 'absent' }
  | { kind: 'unavailable'; detail: string }

/** A charge that the gateway lists as captured. */
export type ListedCharge = {
  transactionId: string
  reference: string
  amountCents: number
  submittedAt: Date
  /** The cardholder's bank has taken it back since. */
  isChargedBack: boolean
}

/** A batch that the gateway has settled, with the sums of its statistics in cents, or failed to. */
export type SettledBatch = {
  batchId: string
  settledAt: Date
  /** Its processor rejected it: all sums are 0, and what it holds may come with a later batch. */
  hasFailed: boolean
  chargedCents: number
  refundedCents: number
  chargedBackCents: number
}

/**
 * The event that a webhook reports, and its transaction: null for an event without one. The current state is asked
 * for.
 */
export type Notice = { id: string; event: string; transactionId: string | null }

export type FoundTransaction = {
  kind: 'found'
  transactionId: string
  /** Our reference of the attempt or the refund; empty where there is none. */
  reference: string
  amountCents: number
  submittedAt: Date
  /** Of a refund the gateway's number of the charge that it gives back. */
  chargeId: string | null
  /** `unmade refund`: one that was voided, declined or not settled; `other`: money has not moved, or not yet. */
  is: 'captured' | 'voided' | 'refund' | 'unmade refund' | 'other'
}

type Range = { since: Date; until: Date }

export type Payments = {
  /** Charges once. Called outside of any database transaction. */
  charge(charge: Charge): Promise<ChargeOutcome>
  /** Finds the attempt by its reference and amount among what the gateway recorded since `since`. */
  lookup(query: { reference: string; amountCents: number; since: Date }): Promise<LookupOutcome>
  /**
   * Keeps the card of an approved charge with its customer, where the charge itself didn't. It may be asked again: a card that
   * it keeps already is the answer. `refused`: it won't, whenever it is asked.
   */
  keepCardOf(charged: {
    transactionId: string
    card: { lastFour: string }
    customer: { id: string; email: string }
  }): Promise<{ kind: 'kept'; card: StoredCard } | { kind: 'refused' } | { kind: 'unavailable' }>
  /** Takes back a charge that has not settled. */
  voidCharge(
    transactionId: string,
  ): Promise<
    { kind: 'voided' } | { kind: 'refused'; reason: string } | { kind: 'unavailable'; detail: string }
  >
  /**
   * Gives a settled charge back, whole or in part, to the card that ends so. Never sent twice under one reference: what is
   * unknown is looked up. `exceeded`: with it more would be given back than was taken. `failedBatch`: the number of the batch
   * that the charge is in, where its processor rejected that.
   */
  refundCharge(refund: {
    transactionId: string
    amountCents: number
    lastFour: string
    reference: string
  }): Promise<
    | { kind: 'refunded'; transactionId: string }
    | { kind: 'exceeded' }
    | { kind: 'refused'; reason: string; failedBatch: string | null }
    | { kind: 'unavailable'; detail: string }
  >
  /** The outcome of giving back a charge: voided as a whole, or refunded under this reference. */
  lookupRefund(query: {
    transactionId: string
    amountCents: number
    reference: string
    since: Date
  }): Promise<
    | { kind: 'voided' | 'refunded'; transactionId: string }
    | { kind: 'absent' }
    | { kind: 'unavailable'; detail: string }
  >
  /** The gateway's transaction of this number. */
  findTransaction(
    transactionId: string,
  ): Promise<FoundTransaction | { kind: 'absent' } | { kind: 'unavailable'; detail: string }>
  /**
   * Reads a webhook by its raw body. `forged`: not signed with the account's key; `unreadable`: signed, but not a notice.
   * Null where no key for signatures is set.
   */
  readonly readWebhook:
    | ((message: { body: Buffer; signature: string }) => Notice | 'forged' | 'unreadable')
    | null
  /** Every charge that the gateway has captured since then, settled or not. */
  listCharges(
    since: Date,
  ): Promise<{ kind: 'listed'; charges: ListedCharge[] } | { kind: 'unavailable'; detail: string }>
  /**
   * The gateway's numbers of the refunds that aren't settled yet, and of those in batches settled between two moments; among
   * them may be charges that couldn't be voided.
   */
  listRefunds(
    range: Range,
  ): Promise<{ kind: 'listed'; refundIds: string[] } | { kind: 'unavailable'; detail: string }>
  /** Every batch that was settled between two moments, or failed to, the oldest first. */
  listBatches(
    range: Range,
  ): Promise<{ kind: 'listed'; batches: SettledBatch[] } | { kind: 'unavailable'; detail: string }>
  /** The gateway's numbers of all that is in a batch, whatever became of it, and of the charges and refunds that were settled with it. */
  listBatch(
    batchId: string,
  ): Promise<
    | { kind: 'listed'; transactionIds: string[]; chargeIds: string[]; refundIds: string[] }
    | { kind: 'unavailable'; detail: string }
  >
  /** Validates a card with its issuer without charging it, and stores it; the same card again is stored once, as it is now. */
  storeCard(wanted: { customer: { id: string; email: string }; token: CardToken }): Promise<StoreOutcome>
  /** The cards that the gateway keeps for a customer, by our own id or by the gateway's; none of a customer it doesn't know. */
  listCards(
    of: { customerId: string } | { customerProfileId: string },
  ): Promise<{ kind: 'listed'; cards: CardOnFile[] } | { kind: 'unavailable'; detail: string }>
  /** Forgets one card; what is not there is forgotten. */
  deleteCard(card: StoredCard): Promise<{ kind: 'deleted' } | { kind: 'unavailable'; detail: string }>
  /** Forgets a customer with all their cards, by our own id of them; who is not there is forgotten. */
  deleteCustomer(customerId: string): Promise<{ kind: 'deleted' } | { kind: 'unavailable'; detail: string }>
  /** Whether a card token would be taken, without charging it: a cent is authorized and voided at once. Uses the token up. */
  checkToken(token: CardToken): Promise<{ ok: true } | { ok: false; reason: string }>
  /**
   * The browser's configuration for making tokens: script address, public login, public client key, and the hosts it
   * talks to (for the CSP).
   */
  readonly browser: {
    scriptUrl: string
    apiLoginID: string
    clientKey: string
    scriptOrigin: string
    apiOrigins: readonly string[]
  }
  /** True when no account is configured and the sandbox answers. */
  readonly sandbox: boolean
}
