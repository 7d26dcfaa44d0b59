import { resealLastingKeys } from '../crypto/lasting-keys.ts'
import type { Vault } from '../crypto/vault.ts'
import { writeAudit } from '../db/audit.ts'
import type { Db, Tx } from '../db/client.ts'
import { resealAnswers } from '../db/idempotency.ts'
import { resealBankDetails } from '../domains/commerce/bank-details/actions.ts'
import { resealExports } from '../domains/commerce/payouts/exports/actions.ts'
import { resealTotpSecrets } from '../domains/identity/two-factor/totp/actions.ts'
import { resealSubscriptions } from '../domains/notifications/push/actions.ts'
import { resealRevocations } from '../domains/promotion/accounts/revocations/actions.ts'
import { resealForumTokens } from '../domains/promotion/accounts/tokens/actions.ts'

/** Every column in which something sealed lies, with what seals it again; a test looks for columns that are missing here. */
export const SEALED: Record<string, (db: Tx, vault: Vault) => Promise<number>> = {
  'lasting_keys.sealed_key': resealLastingKeys,
  'totp_secrets.sealed_secret': resealTotpSecrets,
  'push_subscriptions.sealed_subscription': resealSubscriptions,
  'bank_details.sealed_details': resealBankDetails,
  'exported_payouts.sealed_line': resealExports,
  'idempotency_keys.sealed_response': resealAnswers,
  'forum_accounts.sealed_tokens': resealForumTokens,
  'forum_revocations.sealed_token': resealRevocations,
}

/**
 * Seals all that is encrypted at rest with the newest secret, all or nothing; answers how many rows there were with an
 * older one. Afterward no older secret is needed to read the database.
 */
export async function rotateKeys(db: Db, { vault, now }: { vault: Vault; now: Date }): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    let resealed = 0
    for (const reseal of Object.values(SEALED)) resealed += await reseal(transaction, vault)
    await writeAudit(transaction, {
      actorId: null,
      action: 'keys.rotated',
      targetKind: 'installation',
      targetId: 'installation',
      reason: 'The operator ran rotate-keys.',
      detail: { resealed },
      now,
    })
    return resealed
  })
}
