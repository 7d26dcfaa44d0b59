import { randomUUID } from 'node:crypto'
import type { Context } from '../../../../context.ts'
import type { Vault } from '../../../../crypto/vault.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import type { Answer, Tokens } from '../../../../ports/forum/port.ts'
import { nextRevocation } from '../rules.ts'

const REVOCATION_PURPOSE = 'forum.revocation'

type Grant = Omit<Tokens, 'expiresAt'>

/** Keeps a token until the forum revoked its grant. */
export async function queueRevocation(tx: Tx, vault: Vault, tokens: Grant, now: Date): Promise<void> {
  await insertRevocation(tx, vault, tokens, { now, dueAt: now })
  await enqueue(tx, 'forum.revoke', {})
}

/** How long a new grant may take to be stored before it is revoked. */
const HELD_MS = 10 * 60_000

/**
 * Keeps a new grant to be revoked, until `keepGrant` says that it is stored: what a crash in between leaves is known.
 * @returns the revocation’s id
 */
export function holdGrant(tx: Tx, vault: Vault, tokens: Grant, now: Date): Promise<string> {
  return insertRevocation(tx, vault, tokens, { now, dueAt: new Date(now.getTime() + HELD_MS) })
}

/** Takes the revocation of a held grant back. Throws `authorization_code_invalid` once it was tried. */
export async function keepGrant(tx: Tx, revocationId: string): Promise<void> {
  const held = await tx
    .deleteFrom('forum_revocations')
    .where('id', '=', revocationId)
    .where('tries', '=', 0)
    .executeTakeFirst()
  if (held.numDeletedRows === 0n) throw new AppError('authorization_code_invalid')
}

/** Has a held grant revoked now; does nothing for one that is kept. */
export async function giveGrantBack(tx: Tx, revocationId: string, now: Date): Promise<void> {
  await tx
    .updateTable('forum_revocations')
    .set({ next_try_at: now })
    .where('id', '=', revocationId)
    .where('tries', '=', 0)
    .execute()
  await enqueue(tx, 'forum.revoke', {})
}

async function insertRevocation(
  tx: Tx,
  vault: Vault,
  tokens: Grant,
  { now, dueAt }: { now: Date; dueAt: Date },
): Promise<string> {
  const id = randomUUID()
  // A grant that isn’t permanent has none, and ends with its access token.
  const token = tokens.refreshToken || tokens.accessToken
  await tx
    .insertInto('forum_revocations')
    .values({
      id,
      sealed_token: vault.seal(REVOCATION_PURPOSE, id, token),
      created_at: now,
      next_try_at: dueAt,
    })
    .execute()
  return id
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
    // Counted before the forum is asked: what was tried can no longer be kept, and nobody else tries it meanwhile.
    const isOurs = await db.transaction().execute((tx) => claimTry(tx, { id, tries, now: clock.now() }))
    if (!isOurs) continue
    const answer = await revoked(() => forum.revoke(vault.open(REVOCATION_PURPOSE, id, sealed_token)))
    if (answer.kind !== 'answered' && tries < MAX_REVOCATION_TRIES) continue
    if (answer.kind !== 'answered') log.error({ id }, 'a grant of the forum could not be revoked')
    await db.transaction().execute((tx) => tx.deleteFrom('forum_revocations').where('id', '=', id).execute())
  }
}

async function claimTry(
  tx: Tx,
  { id, tries, now }: { id: string; tries: number; now: Date },
): Promise<boolean> {
  const claimed = await tx
    .updateTable('forum_revocations')
    .set({ tries: tries + 1, next_try_at: nextRevocation(tries, now) })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
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
