import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { MAX_FORUM_ACCOUNTS } from '../../../../contract/promotion.ts'
import type { Context } from '../../../context.ts'
import type { Vault } from '../../../crypto/vault.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Tokens } from '../../../ports/forum/port.ts'
import { failureOf } from '../present.ts'
import { type Left, leaveAccount, lockQueue, reassignPosts } from '../schedule/queue/actions.ts'
import { readAccountDetailsNow } from '../subreddits/actions.ts'
import { type AccountRow, COLUMNS } from './data.ts'
import { giveGrantBack, holdGrant, keepGrant, queueRevocation } from './revocations/actions.ts'
import { authorizationEnd, readState, signedText, stateOf } from './rules.ts'
import { openTokens, requireForum, sealTokens } from './tokens/actions.ts'

const STATE_PURPOSE = 'forum.authorization'

/** Where the forum asks this person for permission; writes nothing, as the address itself carries what is signed. */
export function startAuthorization(
  context: Context,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
): string {
  const forum = requireForum(context)
  const claim = { userId, nonce: randomBytes(18).toString('base64url'), expiresAt: authorizationEnd(now) }
  const signature = context.signer.sign(STATE_PURPOSE, signedText({ ...claim, sessionId }))
  return forum.authorizeUrl(stateOf({ ...claim, signature }))
}

/**
 * Connects the account that the forum’s redirect came from. Throws `authorization_invalid` unless this session began it
 * and it is new, `authorization_code_invalid`, `authorization_incomplete`, `forum_accounts_full`, and what keeps the
 * forum from answering.
 */
export async function confirmAuthorization(
  context: Context,
  asked: { userId: string; sessionId: string; code: string; state: string; now: Date },
): Promise<AccountRow> {
  const { db, vault } = context
  const { userId, now } = asked
  const forum = requireForum(context)
  await consumeAuthorization(context, asked)
  const exchanged = await forum.exchange(asked.code)
  if (exchanged.kind === 'grant-refused') throw new AppError('authorization_code_invalid')
  if (exchanged.kind !== 'answered') throw failureOf(exchanged)
  const { complete, ...tokens } = exchanged.value
  const held = await db.transaction().execute((tx) => holdGrant(tx, vault, tokens, now))
  try {
    if (!complete || tokens.refreshToken === '') throw new AppError('authorization_incomplete')
    const identity = await forum.identity(tokens.accessToken)
    if (identity.kind !== 'answered') throw failureOf(identity)
    return await db.transaction().execute(async (tx) => {
      await keepGrant(tx, held)
      const account = await keepAccount(tx, vault, { userId, identity: identity.value, tokens, now })
      await readAccountDetailsNow(tx, { userId, now })
      return account
    })
  } catch (error) {
    await db.transaction().execute((tx) => giveGrantBack(tx, held, now))
    throw error
  }
}

/** Uses up what a `state` carries, so that it counts once. */
async function consumeAuthorization(
  { db, signer }: Context,
  { userId, sessionId, state, now }: { userId: string; sessionId: string; state: string; now: Date },
): Promise<void> {
  const claim = readState(state)
  if (!claim || claim.userId !== userId || claim.expiresAt <= now) throw new AppError('authorization_invalid')
  if (!signer.verify(STATE_PURPOSE, signedText({ ...claim, sessionId }), claim.signature))
    throw new AppError('authorization_invalid')
  const used = await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('forum_authorizations').where('expires_at', '<', now).execute()
    return tx
      .insertInto('forum_authorizations')
      .values({ nonce: claim.nonce, expires_at: claim.expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('nonce')
      .executeTakeFirst()
  })
  if (!used) throw new AppError('authorization_invalid')
}

async function keepAccount(
  tx: Tx,
  vault: Vault,
  of: { userId: string; identity: { id: string; name: string }; tokens: Tokens; now: Date },
): Promise<AccountRow> {
  const { userId, identity, tokens, now } = of
  // Before the accounts, as a change of the queue waits for outcomes, and those for their accounts.
  await lockQueue(tx, userId)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`forum accounts ${userId}`}, 0))`.execute(tx)
  const accounts = await tx
    .selectFrom('forum_accounts')
    .select(['id', 'forum_id', 'sealed_tokens'])
    .where('user_id', '=', userId)
    .forUpdate()
    .execute()
  const former = accounts.find(({ forum_id }) => forum_id === identity.id)
  if (!former && accounts.length >= MAX_FORUM_ACCOUNTS) throw new AppError('forum_accounts_full')
  const id = former?.id ?? randomUUID()
  if (former?.sealed_tokens) {
    const old = openable(vault, id, former.sealed_tokens)
    if (old && old.refreshToken !== tokens.refreshToken) await queueRevocation(tx, vault, old, now)
  }
  const set = {
    name: identity.name,
    sealed_tokens: sealTokens(vault, id, tokens),
    expires_at: tokens.expiresAt,
    renewing_until: null,
    revoked_at: null,
    connected_at: now,
  }
  if (former)
    return tx
      .updateTable('forum_accounts')
      .set({ ...set, renewal: sql`renewal + 1` })
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
  const account = await tx
    .insertInto('forum_accounts')
    .values({ id, user_id: userId, forum_id: identity.id, ...set })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  await reassignPosts(tx, { id, userId, forumId: identity.id }, now)
  return account
}

/**
 * Forgets an account and has its grant revoked; what it was to post waits until it is connected again. Answers how much
 * that is. Throws `forum_account_not_found`.
 */
export async function disconnect(
  tx: Tx,
  vault: Vault,
  { userId, accountId, now }: { userId: string; accountId: string; now: Date },
): Promise<Left> {
  const account = await tx
    .selectFrom('forum_accounts')
    .select(['forum_id', 'name'])
    .where('id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!account) throw new AppError('forum_account_not_found')
  const left = await leaveAccount(tx, {
    id: accountId,
    userId,
    forumId: account.forum_id,
    name: account.name,
  })
  // The tokens as they are now: they may have been renewed since, or be gone with the account.
  const gone = await tx
    .deleteFrom('forum_accounts')
    .where('id', '=', accountId)
    .returning('sealed_tokens')
    .executeTakeFirst()
  if (!gone) throw new AppError('forum_account_not_found')
  const tokens = gone.sealed_tokens && openable(vault, accountId, gone.sealed_tokens)
  if (tokens) await queueRevocation(tx, vault, tokens, now)
  return left
}

/** Has every grant of somebody revoked; their accounts go with the person. */
export async function revokeAllGrants(tx: Tx, vault: Vault, userId: string, now: Date): Promise<void> {
  const accounts = await tx
    .selectFrom('forum_accounts')
    .select(['id', 'sealed_tokens'])
    .where('user_id', '=', userId)
    .execute()
  for (const { id, sealed_tokens } of accounts) {
    const tokens = sealed_tokens && openable(vault, id, sealed_tokens)
    if (tokens) await queueRevocation(tx, vault, tokens, now)
  }
}

/** The tokens, or null where their key is lost: then nobody can use or revoke them, and the account still goes. */
function openable(vault: Vault, accountId: string, sealed: Buffer) {
  try {
    return openTokens(vault, accountId, sealed)
  } catch {
    return null
  }
}
