import type { Kind } from '../../contract/orders.ts'
import type { Context } from '../context.ts'
import { sellables } from '../domains/commerce/sellables/actions.ts'
import type { Capture, Charge, Payments, SettledBatch, StoredCard } from '../ports/payments/port.ts'
import { cardFor, typed } from './cards.ts'
import { sampleId } from './content.ts'
import type { PastGateway } from './gateway.ts'
import { FANS, sampleEmail } from './people.ts'

const DAY_MS = 24 * 3600 * 1000
const HOUR_MS = 3600 * 1000
/** How long after a start that was interrupted the next one finds what it charged. */
const FOUND_MS = 2 * DAY_MS

const emails = new Map(FANS.map(({ username }) => [sampleId(username), sampleEmail(username)]))

export type Bill = { reference: string; buyerId: string; kind: Kind; amountCents: number; at: Date }

/** The gateway's answer for each bill, by its reference, and the batches that it has settled since. */
export type Charged = {
  captures: Map<string, Capture & { saved: boolean }>
  batches: { batch: SettledBatch; transactionIds: string[] }[]
}

/**
 * Charges bills at the sandbox gateway in the order of their moments: each card is stored by the first, and pays the later
 * ones by what was stored. What an interrupted start charged before isn't charged again.
 */
export async function chargeBills(
  { config, payments }: Pick<Context, 'config' | 'payments'>,
  gateway: PastGateway,
  bills: Bill[],
  now: Date,
): Promise<Charged> {
  const captures: Charged['captures'] = new Map()
  const stored = new Map<string, StoredCard>()
  const counts = new Map<string, number>()
  let isRepeated = true
  for (const bill of bills.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const { buyerId, reference } = bill
    const count = counts.get(buyerId) ?? 0
    counts.set(buyerId, count + 1)
    const card = cardFor(buyerId, count)
    const kept = stored.get(`${buyerId} ${card.cardNumber}`)
    const earlier: Capture | null = isRepeated ? await findCharge(payments, bill) : null
    isRepeated = earlier !== null
    const source =
      kept && !card.declinesWhenStored
        ? { storedCard: kept }
        : { token: await gateway.token(typed(card, now), bill.at), saveCard: true }
    const capture = earlier ?? (await charge(gateway.at(bill.at), bill, source, config.BRAND_NAME))
    if (capture.storedCard) stored.set(`${buyerId} ${card.cardNumber}`, capture.storedCard)
    captures.set(reference, { ...capture, saved: 'token' in source })
  }
  return { captures, batches: await listBatches(payments, bills, now) }
}

async function findCharge(payments: Payments, { reference, amountCents, at }: Bill): Promise<Capture | null> {
  const since = new Date(at.getTime() - FOUND_MS)
  const found = await payments.lookup({ reference, amountCents, since })
  return found.kind === 'approved' ? found : null
}

async function charge(
  payments: Payments,
  { reference, buyerId, kind, amountCents }: Bill,
  source: Charge['source'],
  brand: string,
): Promise<Capture> {
  const outcome = await payments.charge({
    ...{ reference, amountCents, source, description: `${brand} ${kind}` },
    occasion: sellables[kind].renews ? 'firstRecurring' : 'single',
    customer: { id: buyerId, email: emails.get(buyerId) ?? '' },
  })
  if (outcome.kind !== 'approved') throw new Error(`a sample sale was not charged: ${outcome.kind}`)
  return outcome
}

async function listBatches(payments: Payments, bills: Bill[], now: Date): Promise<Charged['batches']> {
  const first = Math.min(...bills.map(({ at }) => at.getTime()))
  const listed = await payments.listBatches({
    since: new Date(first),
    until: new Date(now.getTime() - HOUR_MS),
  })
  if (listed.kind === 'unavailable') throw new Error(`the sample’s batches are not there: ${listed.detail}`)
  const batches: Charged['batches'] = []
  for (const batch of listed.batches) {
    const held = await payments.listBatch(batch.batchId)
    if (held.kind === 'unavailable') throw new Error(`a batch of the sample is not there: ${held.detail}`)
    batches.push({ batch, transactionIds: held.transactionIds })
  }
  return batches
}
