import type { CardToken } from '../port.ts'
import { chargeOutcome } from './charge-outcome.ts'
import { type Account, send } from './client.ts'
import { voidCharge } from './void-charge.ts'

/**
 * Authorizes one cent on a token and voids it. Nothing is captured: an authorization that could not be voided lapses.
 * The reason is the gateway's reason code, `held`, or what went wrong on the way.
 */
export async function checkToken(
  account: Account,
  token: CardToken,
): Promise<{ ok: true } | { ok: false; reason: string }> {
  const answer = await send(account, 'createTransactionRequest', {
    transactionRequest: {
      transactionType: 'authOnlyTransaction',
      amount: '0.01',
      currencyCode: 'USD',
      payment: { opaqueData: { dataDescriptor: token.dataDescriptor, dataValue: token.dataValue } },
      transactionSettings: { setting: [{ settingName: 'duplicateWindow', settingValue: '0' }] },
    },
  })
  const outcome = chargeOutcome(answer)
  if (outcome.kind === 'unknown') return { ok: false, reason: outcome.detail }
  if (outcome.kind === 'declined' || outcome.kind === 'refused') return { ok: false, reason: outcome.reason }
  await voidCharge(account, outcome.transactionId)
  return outcome.kind === 'approved' ? { ok: true } : { ok: false, reason: 'held' }
}
