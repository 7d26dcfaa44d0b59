import { randomUUID } from 'node:crypto'
import type { Context } from '../../../../context.ts'
import type { Vault } from '../../../../crypto/vault.ts'
import type { Tx } from '../../../../db/client.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import type { Answer, Tokens } from '../../../../ports/forum/port.ts'
import { nextRevocation } from '../rules.ts'

const REVOCATION_PURPOSE = 'forum.revocation'

/** Keeps a token until the forum revoked its grant. */
export async function queueRevocation(
  tx: Tx,
  vault: Vault,
  tokens: Omit<Tokens, 'expiresAt'>,
  now: Date,
): Promise<void> {
  const id = randomUUID()
  // A grant that isn’t permanent has none, and ends with its access token.
  const token = tokens.refreshToken || tokens.accessToken
  await tx
    .insertInto('forum_revocations')
    .values({
      id,
      sealed_token: vault.seal(REVOCATION_PURPOSE, id, token),
      created_at: now,
      next_try_at: now,
    })
    .execute()
  await enqueue(tx, 'forum.revoke', {})
}

/** At most so many in one run, and how often one is tried. */
const REVOCATIONS_AT_ONCE = 50
const MAX_REVOCATION_TRIES = 30

/** Has the forum revoke what is due; what it doesn’t take is tried again later, then given up. */
export async function revokeDue({ db, vault, clock, forum, log }: Context): Promise<void> {
  if (!forum) return
  const due = await db
    .selectFrom('forum_revocations')
    .select(['id', 'sealed_token', 'tries'])
    .where('next_try_at', '<=', clock.now())
    .orderBy('next_try_at')
    .limit(REVOCATIONS_AT_ONCE)
    .execute()
  for (const { id, sealed_token, tries } of due) {
    const answer = await revoked(() => forum.revoke(vault.open(REVOCATION_PURPOSE, id, sealed_token)))
    const isOver = answer.kind === 'answered' || tries >= MAX_REVOCATION_TRIES
    if (isOver && answer.kind !== 'answered') log.error({ id }, 'a grant of the forum could not be revoked')
    await db.transaction().execute(async (tx) => {
      if (isOver) await tx.deleteFrom('forum_revocations').where('id', '=', id).execute()
      else
        await tx
          .updateTable('forum_revocations')
          .set({ tries: tries + 1, next_try_at: nextRevocation(tries, clock.now()) })
          .where('id', '=', id)
          .execute()
    })
  }
}

/** A token that can’t be opened must not keep the others waiting. */
async function revoked(revoke: () => Promise<Answer<null>>): Promise<Answer<null>> {
  try {
    return await revoke()
  } catch {
    return { kind: 'malformed', detail: 'the token can’t be opened' }
  }
}

/** Seals all tokens that wait to be revoked, and that an older secret sealed, with the newest one; answers how many. */
export async function resealRevocations(tx: Tx, vault: Vault): Promise<number> {
  const waiting = await tx
    .selectFrom('forum_revocations')
    .select(['id', 'sealed_token'])
    .forUpdate()
    .execute()
  const old = waiting.filter(({ sealed_token }) => !vault.isCurrent(sealed_token))
  for (const { id, sealed_token } of old) {
    const text = vault.open(REVOCATION_PURPOSE, id, sealed_token)
    await tx
      .updateTable('forum_revocations')
      .set({ sealed_token: vault.seal(REVOCATION_PURPOSE, id, text) })
      .where('id', '=', id)
      .execute()
  }
  return old.length
}
