import type { Charge, ChargeOutcome } from '../port.ts'
import { chargeOutcome } from './charge-outcome.ts'
import { chargeRequest } from './charge-request.ts'
import { type Account, send } from './client.ts'
import { storeCardOf } from './stored-card.ts'

/** Charges once. A card that was to be stored and was not is stored by a call of its own. */
export async function charge(account: Account, wanted: Charge): Promise<ChargeOutcome> {
  const outcome = chargeOutcome(await send(account, 'createTransactionRequest', chargeRequest(wanted)))
  if (outcome.kind !== 'approved' || outcome.storedCard !== null) return outcome
  if ('storedCard' in wanted.source) return { ...outcome, storedCard: wanted.source.storedCard }
  if (!wanted.source.saveCard) return outcome
  const kept = await storeCardOf(account, { ...outcome, customer: wanted.customer })
  return { ...outcome, storedCard: kept.kind === 'kept' ? kept.card : null }
}
