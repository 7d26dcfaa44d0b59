import { z } from 'zod'
import { Email } from '../../contract/routes/identity/account.ts'
import { Reason } from '../../contract/schemas.ts'
import type { Db } from '../db/client.ts'
import { findHolders } from '../domains/identity/data.ts'
import { removeLostFactors } from '../domains/identity/two-factor/actions.ts'

export const FactorRemoval = z.object({
  email: Email,
  reason: Reason,
  passkeys: z.boolean().default(false),
})

/**
 * Lets somebody who lost their second factor and the recovery codes log in by password alone. An account with passkeys is
 * refused until the operator says that these are lost too.
 */
export async function removeSecondFactor(
  db: Db,
  { email, reason, passkeys: passkeysToo }: z.output<typeof FactorRemoval>,
  now: Date,
): Promise<{ ok: boolean; output: string }> {
  const [holder] = await findHolders(db, { email, username: '' })
  if (!holder) return { ok: false, output: `No account uses ${email}.` }
  const { removed, totpSince, passkeys } = await db
    .transaction()
    .execute((transaction) => removeLostFactors(transaction, { userId: holder.id, passkeysToo, reason, now }))
  const names = passkeys.map(({ name }) => name).join(', ')
  if (removed) {
    const what = [...(totpSince ? ['authenticator app'] : []), ...(names ? [`passkeys (${names})`] : [])]
    return {
      ok: true,
      output: `Removed from ${holder.username}: ${what.join(', ')}, recovery codes. They can log in with only their password, and all their sessions ended.`,
    }
  }
  return {
    ok: false,
    output: names
      ? `A passkey of ${holder.username} is enough to log in (${names}), so nothing was removed: add --passkeys if they are lost too.`
      : `${holder.username} has no second factor.`,
  }
}
