import { sql } from 'kysely'
import type { AuditAction } from '../../../../contract/audit.ts'
import { MIN_AFFILIATE_SUBSCRIBERS, shareCents } from '../../../../contract/commissions.ts'
import { formatMoney } from '../../../../contract/money.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { notify } from '../../notifications/actions.ts'
import { postAffiliateShare, postHeldShare } from '../ledger/actions.ts'
import { findKnownSubscribers } from './data.ts'
import { propose, withdrawProposal } from './proposing/actions.ts'
import { decisionRefusal, MAX_OPEN_APPLICATIONS, shareRefusal } from './rules.ts'

/**
 * Applies to refer a subreddit to the subreddit program; returns the application's id. Throws `subreddit_too_small`,
 * `subreddit_affiliated`, `application_open` and `too_many_applications`.
 */
export async function applyForSubreddit(
  db: Tx,
  {
    userId,
    subreddit: name,
    subscribers,
    now,
  }: { userId: string; subreddit: string; subscribers: number; now: Date },
): Promise<string> {
  const subreddit = name.toLowerCase()
  const known = await findKnownSubscribers(db, subreddit)
  if (known !== null && known < MIN_AFFILIATE_SUBSCRIBERS) throw new AppError('subreddit_too_small')
  // One application of a person after another, so that none is too many.
  await sql`select from users where id = ${userId} for update`.execute(db)
  const open = await db
    .selectFrom('subreddit_affiliates')
    .select('subreddit')
    .where('user_id', '=', userId)
    .where('status', '=', 'applied')
    .execute()
  if (open.some((other) => other.subreddit === subreddit)) throw new AppError('application_open')
  if (open.length >= MAX_OPEN_APPLICATIONS) throw new AppError('too_many_applications')
  if (await isAffiliated(db, subreddit)) throw new AppError('subreddit_affiliated')
  const { id } = await db
    .insertInto('subreddit_affiliates')
    .values({ user_id: userId, subreddit, stated_subscribers: subscribers, applied_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function isAffiliated(db: Tx, subreddit: string): Promise<boolean> {
  const approved = await db
    .selectFrom('subreddit_affiliates')
    .select('id')
    .where('subreddit', '=', subreddit)
    .where('status', '=', 'approved')
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .executeTakeFirst()
  return approved !== undefined
}

type Deciding = { applicationId: string; actorId: string; reason: string; now: Date }
type Decision = Deciding & {
  decision: 'approve' | 'refuse'
  subscribers?: number | undefined
  restrictions: string
  moderator?: string | undefined
}

/** Whether it waits for a second person. */
type Decided = { waits: boolean }

/**
 * Approves a subreddit, which pays its referrer and its moderator, or holds the moderator's share while nobody is named; or
 * refuses it. An approval waits until a second person has given the same, where there is one. Throws `not_found`, what
 * `decisionRefusal` says, `subreddit_affiliated`, `subreddit_too_small`, `referrer_unavailable` and `user_not_found`.
 */
export async function decideSubreddit(db: Tx, wanted: Decision): Promise<Decided> {
  const { actorId, decision, reason, restrictions, now } = wanted
  const application = await lockApplication(db, wanted.applicationId)
  const refused = decisionRefusal(application, { decision, actorId })
  if (refused) throw new AppError(refused)
  const { id, user_id: userId, subreddit } = application
  const decided = { reason, decided_at: now, decided_by: actorId }
  const row = db.updateTable('subreddit_affiliates').where('id', '=', id)
  if (decision === 'refuse') {
    await row.set({ ...decided, status: 'refused' }).execute()
    await withdrawProposal(db, id)
    await tell(db, { state: 'declined', person: userId, subreddit, cents: null, note: reason, now })
    await audit(db, wanted, 'subreddit.refused', { subreddit })
    return { waits: false }
  }
  const known = await findKnownSubscribers(db, subreddit)
  const subscribers = wanted.subscribers ?? known ?? application.stated_subscribers
  if (subscribers < MIN_AFFILIATE_SUBSCRIBERS) throw new AppError('subreddit_too_small')
  await requirePayable(db, userId)
  const moderatorId = wanted.moderator === undefined ? null : await findModerator(db, wanted.moderator)
  if (moderatorId === actorId) throw new AppError('own_application')
  if (await isAffiliated(db, subreddit)) throw new AppError('subreddit_affiliated')
  const terms = { subscribers, restrictions, moderatorId }
  const proposed = await propose(db, { affiliateId: id, terms, actorId, applicantId: userId, reason, now })
  if (proposed.waits) {
    await audit(db, wanted, 'subreddit.proposed', { subreddit, ...terms })
    return { waits: true }
  }
  const { proposedBy } = proposed
  try {
    await row
      .set({ ...decided, status: 'approved', subscribers, restrictions, moderator_id: moderatorId })
      .execute()
  } catch (error) {
    throw violates(error, 'subreddit_affiliates_once') ? new AppError('subreddit_affiliated') : error
  }
  const cents = shareCents(subscribers)
  await postAffiliateShare(db, { sourceId: id, userId, cents, from: 'platform_fees', now })
  const news = { subreddit, cents, note: restrictions, now }
  await tell(db, { state: 'approved', person: userId, ...news })
  if (moderatorId === null) await postHeldShare(db, { sourceId: application.share_id, cents, now })
  else {
    await postAffiliateShare(db, {
      ...{ sourceId: application.share_id, userId: moderatorId, cents, from: 'platform_fees', now },
    })
    await tell(db, { state: 'share', person: moderatorId, ...news })
  }
  await audit(db, wanted, 'subreddit.approved', { subreddit, ...terms, cents, proposedBy })
  return { waits: false }
}

/**
 * Gives the held share of a subreddit to its moderator, once, as soon as a second person has named the same, where there is
 * one. Throws `not_found`, `user_not_found` and what `shareRefusal` says.
 */
export async function paySubredditShare(db: Tx, wanted: Deciding & { moderator: string }): Promise<Decided> {
  const { actorId, reason, now } = wanted
  const application = await lockApplication(db, wanted.applicationId)
  const moderatorId = await findModerator(db, wanted.moderator)
  const refused = shareRefusal(application, { moderatorId, actorId })
  if (refused) throw new AppError(refused)
  const { id, user_id: applicantId, subreddit, restrictions: note } = application
  const terms = { subscribers: null, restrictions: '', moderatorId }
  const proposed = await propose(db, { affiliateId: id, terms, actorId, applicantId, reason, now })
  if (proposed.waits) {
    await audit(db, wanted, 'subreddit.share_proposed', { subreddit, moderatorId })
    return { waits: true }
  }
  await db
    .updateTable('subreddit_affiliates')
    .set({ moderator_id: moderatorId })
    .where('id', '=', id)
    .execute()
  const cents = shareCents(application.subscribers ?? 0)
  await postAffiliateShare(db, {
    ...{ sourceId: application.share_id, userId: moderatorId, cents, from: 'suspense', now },
  })
  await tell(db, { state: 'share', person: moderatorId, subreddit, cents, note, now })
  const { proposedBy } = proposed
  await audit(db, wanted, 'subreddit.share_paid', { subreddit, cents, moderatorId, proposedBy })
  return { waits: false }
}

/** The person with this username, if they can be paid. Throws `user_not_found`. */
async function findModerator(db: Tx, username: string): Promise<string> {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where(sql<string>`lower(username)`, '=', username.toLowerCase())
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  if (!person) throw new AppError('user_not_found')
  return person.id
}

/** People who are suspended or being deleted earn nothing more. */
async function requirePayable(db: Tx, userId: string): Promise<void> {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  if (!person) throw new AppError('referrer_unavailable')
}

async function lockApplication(db: Tx, id: string) {
  const application = await db
    .selectFrom('subreddit_affiliates')
    .selectAll()
    .where('id', '=', id)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .forUpdate()
    .executeTakeFirst()
  if (!application) throw new AppError('not_found')
  return application
}

type News = { subreddit: string; cents: number | null; note: string; now: Date }

/** Tells the applicant what was decided, or the moderator of the subreddit's share. */
function tell(
  db: Tx,
  {
    state,
    person,
    subreddit,
    cents,
    note,
    now,
  }: News & { state: 'approved' | 'declined' | 'share'; person: string },
): Promise<void> {
  const amount = cents === null ? null : formatMoney(cents)
  const data = { state, subreddit, amount, note: note || null }
  return notify(db, { kind: 'subreddit.decided', person, data }, { now })
}

async function audit(
  db: Tx,
  { applicationId, actorId, reason, now }: Deciding,
  action: AuditAction,
  detail: Record<string, unknown>,
): Promise<void> {
  const target = { targetKind: 'subreddit_affiliate' as const, targetId: applicationId }
  await writeAudit(db, { actorId, action, ...target, reason, detail, now })
}
