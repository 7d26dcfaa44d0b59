import type { Vault } from '../../../crypto/vault.ts'
import type { Db } from '../../../db/client.ts'
import type { Details } from './rules.ts'

export const PURPOSE = 'bank details'

export type BankDetailsRow = { country: string; last_four: string; changed_at: Date }

/** The part of a person's bank details that they may see again; undefined if they entered none yet. */
export function findBankDetails(db: Db, userId: string): Promise<BankDetailsRow | undefined> {
  return db
    .selectFrom('bank_details')
    .select(['country', 'last_four', 'changed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** The whole details again, for the bank alone. */
export function openDetails(vault: Vault, userId: string, sealed: Buffer): Details {
  return JSON.parse(vault.open(PURPOSE, userId, sealed)) as Details
}
