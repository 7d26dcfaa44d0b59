import type { Context } from '../context.ts'
import { KEY_ID_LENGTH } from '../crypto/keyring.ts'
import { hashPassword } from '../domains/identity/passwords/actions.ts'
import { samplePassword } from './people.ts'

const PURPOSE = 'sample password'
const LENGTH = 16

/**
 * The password of the sample accounts: the README's on this machine alone, one of this installation's own as soon as
 * others can reach it. `kind` names it without giving it away.
 */
export function currentSamplePassword({ config, signer }: Pick<Context, 'config' | 'signer'>): {
  password: string
  kind: string
} {
  // A start that finds another kind ends the sessions: `public` let in strangers behind a proxy on this machine.
  if (config.SANDBOX_TOKEN === undefined) return { password: samplePassword, kind: 'local' }
  const signed = signer.sign(PURPOSE, '')
  return {
    password: signed.slice(KEY_ID_LENGTH, KEY_ID_LENGTH + LENGTH),
    kind: signed.slice(0, KEY_ID_LENGTH),
  }
}

/** Gives sample accounts of an earlier start the password that they have now, and ends the sessions of the old one. */
export async function renewSamplePasswords(context: Context): Promise<void> {
  const { password, kind } = currentSamplePassword(context)
  const isRenewed = await context.db
    .selectFrom('installation')
    .select('sample_password')
    .where((eb) => eb.or([eb('sample_password', 'is', null), eb('sample_password', '=', kind)]))
    .executeTakeFirst()
  if (isRenewed) return
  const password_hash = await hashPassword(password)
  await context.db.transaction().execute(async (transaction) => {
    const samples = transaction.selectFrom('users').select('id').where('is_sample', '=', true)
    await transaction.deleteFrom('sessions').where('user_id', 'in', samples).execute()
    await transaction.updateTable('users').set({ password_hash }).where('is_sample', '=', true).execute()
    await transaction.updateTable('installation').set({ sample_password: kind }).execute()
  })
}
