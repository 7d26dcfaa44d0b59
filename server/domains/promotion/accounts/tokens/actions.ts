import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../../../../context.ts'
import type { Vault } from '../../../../crypto/vault.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { Answer, Forum, Tokens } from '../../../../ports/forum/port.ts'
import { notify } from '../../../notifications/actions.ts'
import { failureOf } from '../../present.ts'
import { type AccountRow, findAccount } from '../data.ts'
import { queueRevocation } from '../revocations/actions.ts'

const TOKENS_PURPOSE = 'forum.tokens'

/** The forum that is set up here; throws `forum_off`. */
export function requireForum({ forum }: Pick<Context, 'forum'>): Forum {
  if (!forum) throw new AppError('forum_off')
  return forum
}

/**
 * Asks the forum with an account’s access token, renewed first where it is over, and once more where the forum no
 * longer takes it. Throws `forum_reconnect` once the grant is gone.
 */
export async function askAs<A extends { kind: string }>(
  context: Context,
  account: AccountRow,
  ask: (accessToken: string) => Promise<A>,
): Promise<Exclude<A, { kind: 'unauthorized' }>> {
  const token = await accessToken(context, account, null)
  const answer = await ask(token.accessToken)
  if (answer.kind !== 'unauthorized') return answer as Exclude<A, { kind: 'unauthorized' }>
  const renewed = await accessToken(context, account, token.renewal)
  const again = await ask(renewed.accessToken)
  // A renewed token that isn’t taken either is no good to anybody.
  if (again.kind === 'unauthorized')
    throw await noteRevoked(context, { id: account.id, renewal: renewed.renewal, mayHold: true })
  return again as Exclude<A, { kind: 'unauthorized' }>
}

/**
 * The forum's answer to a connected account, for callers that can do without it: `no answer` while the forum is down
 * or busy, so that another try may help; `not shown` if it refuses this account or its answer can’t be read; `no
 * account` if none is connected.
 */
export async function askIfConnected<T extends object>(
  context: Context,
  accountId: string | null,
  ask: (accessToken: string, account: AccountRow) => Promise<Answer<T>>,
): Promise<T | 'no answer' | 'not shown' | 'no account'> {
  const account = accountId === null ? undefined : await findAccount(context.db, accountId)
  if (!account || account.revoked_at) return 'no account'
  try {
    const answer = await askAs(context, account, (token) => ask(token, account))
    if (answer.kind === 'answered') return answer.value
    throw failureOf(answer)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    switch (error.code) {
      case 'forum_refused':
      case 'forum_malformed':
        return 'not shown'
      case 'forum_reconnect':
      case 'forum_account_not_found':
        return 'no account'
      default:
        return 'no answer'
    }
  }
}

const ALMOST_OVER_MS = 60_000
/** How long a renewal may take before somebody else tries, and how often the others look. */
const RENEWAL_MS = 30_000
const LOOK_AGAIN_MS = 150

type Access = { accessToken: string; renewal: number }

/** A token that is good, other than that of the renewal `refused`; of many callers one has it renewed. */
async function accessToken(
  context: Context,
  { id }: { id: string },
  refused: number | null,
): Promise<Access> {
  const { db, vault, clock } = context
  const deadline = performance.now() + RENEWAL_MS
  for (;;) {
    const account = await findAccount(db, id)
    if (!account) throw new AppError('forum_account_not_found')
    const { sealed_tokens: sealed, expires_at: expiresAt, renewal } = account
    if (!sealed || !expiresAt) throw new AppError('forum_reconnect')
    const now = clock.now()
    const isGood = renewal !== refused && expiresAt.getTime() - now.getTime() > ALMOST_OVER_MS
    if (isGood) return { accessToken: openTokens(vault, id, sealed).accessToken, renewal }
    const isOurs = await db.transaction().execute((tx) => claimRenewal(tx, { id, renewal, now }))
    if (isOurs) return renew(context, { id, renewal, sealed })
    if (performance.now() > deadline) throw new AppError('forum_down')
    await wait(LOOK_AGAIN_MS)
  }
}

/** Whether the renewal is the caller’s, and nobody else’s for a while. */
async function claimRenewal(
  tx: Tx,
  { id, renewal, now }: { id: string; renewal: number; now: Date },
): Promise<boolean> {
  const claimed = await tx
    .updateTable('forum_accounts')
    .set({ renewing_until: new Date(now.getTime() + RENEWAL_MS) })
    .where('id', '=', id)
    .where('renewal', '=', renewal)
    .where((eb) => eb.or([eb('renewing_until', 'is', null), eb('renewing_until', '<=', now)]))
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

async function renew(
  context: Context,
  { id, renewal, sealed }: { id: string; renewal: number; sealed: Buffer },
): Promise<Access> {
  const { db, vault } = context
  const { refreshToken } = openTokens(vault, id, sealed)
  const answer = await requireForum(context).renew(refreshToken)
  if (answer.kind === 'grant-refused') throw await noteRevoked(context, { id, renewal, mayHold: false })
  const kept = answer.kind === 'answered' ? answer.value : null
  await db.transaction().execute(async (tx) => {
    const updated = await tx
      .updateTable('forum_accounts')
      .set({
        renewing_until: null,
        ...(kept
          ? {
              sealed_tokens: sealTokens(vault, id, kept),
              expires_at: kept.expiresAt,
              renewal: renewal + 1,
            }
          : {}),
      })
      .where('id', '=', id)
      // If the account was connected again meanwhile, it has newer tokens.
      .where('renewal', '=', renewal)
      .where('sealed_tokens', 'is not', null)
      .executeTakeFirst()
    // Disconnected meanwhile: of a grant that changed with the renewal, nobody else knows the new token.
    const isLeft = updated.numUpdatedRows === 0n && kept && kept.refreshToken !== refreshToken
    if (isLeft) await queueRevocation(tx, vault, kept, context.clock.now())
  })
  if (answer.kind !== 'answered') throw failureOf(answer)
  return { accessToken: answer.value.accessToken, renewal: renewal + 1 }
}

/**
 * Notes that the forum no longer takes a grant, tells its person once, and answers what the caller is told. A grant
 * that the forum `mayHold` still, as only its access tokens are refused, is revoked there.
 */
async function noteRevoked(
  { db, vault, clock }: Context,
  { id, renewal, mayHold }: { id: string; renewal: number; mayHold: boolean },
): Promise<AppError> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('forum_accounts')
      .select(['user_id', 'name', 'sealed_tokens'])
      .where('id', '=', id)
      .where('renewal', '=', renewal)
      .where('sealed_tokens', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!account?.sealed_tokens) return
    await tx
      .updateTable('forum_accounts')
      .set({ sealed_tokens: null, expires_at: null, renewing_until: null, revoked_at: now })
      .where('id', '=', id)
      .execute()
    if (mayHold) await queueRevocation(tx, vault, openTokens(vault, id, account.sealed_tokens), now)
    await notify(
      tx,
      { kind: 'forum.reconnect', person: account.user_id, data: { account: account.name } },
      { now },
    )
  })
  return new AppError('forum_reconnect')
}

/** The tokens as they are stored; they open only for their own account. */
export const sealTokens = (vault: Vault, accountId: string, tokens: Tokens) =>
  vault.seal(TOKENS_PURPOSE, accountId, JSON.stringify([tokens.accessToken, tokens.refreshToken]))

/** An account's tokens, unsealed; throws where they were sealed for another account. */
export function openTokens(vault: Vault, accountId: string, sealed: Buffer): Omit<Tokens, 'expiresAt'> {
  const [accessToken, refreshToken] = JSON.parse(vault.open(TOKENS_PURPOSE, accountId, sealed))
  return { accessToken, refreshToken }
}

/** Seals all tokens that an older secret sealed with the newest one; answers how many. */
export async function resealForumTokens(tx: Tx, vault: Vault): Promise<number> {
  const accounts = await tx
    .selectFrom('forum_accounts')
    .select(['id', 'sealed_tokens'])
    .where('sealed_tokens', 'is not', null)
    .forUpdate()
    .execute()
  let resealed = 0
  for (const { id, sealed_tokens: sealed } of accounts) {
    if (!sealed || vault.isCurrent(sealed)) continue
    const sealed_tokens = vault.seal(TOKENS_PURPOSE, id, vault.open(TOKENS_PURPOSE, id, sealed))
    await tx.updateTable('forum_accounts').set({ sealed_tokens }).where('id', '=', id).execute()
    resealed++
  }
  return resealed
}
