import { type Context, HOW_TO_VIDEO_KEY } from '../context.ts'
import type { Db, Tx } from '../db/client.ts'
import { hashPassword } from '../domains/identity/passwords/actions.ts'
import { countPopularity } from '../domains/media/viewing/discover/actions.ts'
import { insertAudiences } from './audiences.ts'
import { chargeBills } from './charges.ts'
import { insertItems, makeItems, makePortraits, type SampleItem, sampleId } from './content.ts'
import { insertConversations } from './conversations.ts'
import { insertCustomRequests, planRequestBills } from './custom-requests.ts'
import { insertDisputes } from './disputes.ts'
import { findForumNames, insertPromotion } from './forum.ts'
import type { PastGateway } from './gateway.ts'
import { insertCreatorOffers } from './offers.ts'
import { currentSamplePassword } from './passwords.ts'
import { insertPayouts } from './payouts.ts'
import { CREATORS, FANS, OPERATOR, sampleEmail } from './people.ts'
import { makeHowToVideo } from './pictures.ts'
import { insertPricing } from './pricing.ts'
import { insertPrivacy } from './privacy.ts'
import { insertReferrals, insertSubredditAffiliates } from './referrals.ts'
import { insertSales, planSales } from './sales.ts'
import { insertSettlements } from './settlements.ts'

const DAY_MS = 24 * 3600 * 1000
const LEFT_OUT = 'No sample data: somebody signed up under the name of one of its people'

const forumNameOf = (username: string) => username.replaceAll('.', '_')
const referralCodeOf = (username: string) => `${username.replace(/[^a-z]/g, '')}26`

type Portraits = Map<string, { profileImage: string; heroImage: string }>

/**
 * Fills an empty installation with invented people, pictures of our own, things to buy and a year of sales, once.
 * Files come first, then the year's charges at the sandbox gateway, and the rows in one transaction after, so that a start
 * that was interrupted begins again. Where somebody has the name of one of its people there is none, which
 * `onProgress` says. Answers whether there is any.
 */
export async function loadSampleData(
  context: Context,
  gateway: PastGateway,
  onProgress: (sentence: string) => void,
): Promise<boolean> {
  const { sample_data_at: loadedAt } = await context.db
    .selectFrom('installation')
    .select('sample_data_at')
    .executeTakeFirstOrThrow()
  if (loadedAt) return true
  context.makingSampleData = true
  try {
    return await makeSampleData(context, gateway, onProgress)
  } finally {
    context.makingSampleData = false
  }
}

async function makeSampleData(
  context: Context,
  gateway: PastGateway,
  onProgress: (sentence: string) => void,
): Promise<boolean> {
  const { db, clock } = context
  if (await isLeftOut()) return false
  const now = clock.now()
  const items: SampleItem[] = []
  const portraits: Portraits = new Map()
  for (const [index, creator] of CREATORS.entries()) {
    onProgress(`Making the sample data, once: ${index + 1} of ${CREATORS.length} creators`)
    portraits.set(creator.username, await makePortraits(context, creator))
    items.push(...(await makeItems(context, creator, now)))
  }
  await makeHowToVideo(context, HOW_TO_VIDEO_KEY)
  // People can sign up since before the first picture was made.
  if (await isLeftOut()) return false
  await insertSampleData(context, gateway, { items, portraits, now })
  return true

  async function isLeftOut(): Promise<boolean> {
    if (!(await isTaken(db))) return false
    onProgress(LEFT_OUT)
    return true
  }
}

/** Whether somebody has the username, email, forum name or referral code of one of its people. */
async function isTaken(db: Db): Promise<boolean> {
  const usernames = [...CREATORS, ...FANS, OPERATOR].map(({ username }) => username)
  const taken = await db
    .selectFrom('users')
    .select('id')
    .where((eb) =>
      eb.or([
        eb(eb.fn('lower', ['username']), 'in', usernames),
        eb(eb.fn('lower', ['email']), 'in', usernames.map(sampleEmail)),
        eb(eb.fn('lower', ['reddit_username']), 'in', usernames.map(forumNameOf)),
        eb('referral_code', 'in', usernames.map(referralCodeOf)),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return taken !== undefined
}

/** Charges the year's sales at the sandbox gateway, and writes the rows of all that was made. */
export async function insertSampleData(
  context: Context,
  gateway: PastGateway,
  { items, portraits, now }: { items: SampleItem[]; portraits: Portraits; now: Date },
): Promise<void> {
  const sales = planSales(items, now)
  const bills = [...sales, ...planRequestBills(now)]
  const { captures, batches } = await chargeBills(context, gateway, bills, now)
  const { password, kind } = currentSamplePassword(context)
  const passwordHash = await hashPassword(password)
  const forumNames = await findForumNames(context)
  await context.db.transaction().execute(async (transaction) => {
    await insertPeople(transaction, passwordHash, portraits, now)
    await insertReferrals(transaction, new Date(now.getTime() - 390 * DAY_MS))
    await insertItems(transaction, items)
    await insertOffers(transaction, items, now)
    await insertSales(transaction, context, sales, captures)
    await insertPayouts(transaction, context.vault, now)
    await insertCreatorOffers(transaction, items, now)
    await insertDisputes(transaction, now)
    await insertPricing(transaction, now)
    await insertFollows(transaction, now)
    await insertCustomRequests(transaction, context, items, { captures, now })
    await insertAudiences(transaction, context, items, now)
    await insertSettlements(transaction, batches)
    await insertSubredditAffiliates(transaction, now)
    await insertConversations(transaction, items, now)
    await insertPromotion(transaction, forumNames, now)
    await insertPrivacy(
      transaction,
      { creators: CREATORS.map(({ username }) => username), fans: FANS.map(({ username }) => username) },
      now,
    )
    await transaction
      .updateTable('installation')
      .set({ sample_data_at: now, sample_password: kind })
      .execute()
  })
  await countPopularity(context.db)
}

async function insertPeople(db: Tx, passwordHash: string, portraits: Portraits, now: Date): Promise<void> {
  const joined = new Date(now.getTime() - 400 * DAY_MS)
  const people = [
    ...CREATORS.map(({ username, firstName }) => ({ username, firstName, isCreator: true, role: null })),
    ...FANS.map(({ username, firstName }) => ({ username, firstName, isCreator: false, role: null })),
    { ...OPERATOR, isCreator: false, role: 'superadmin' as const },
  ]
  await db
    .insertInto('users')
    .values(
      people.map(({ username, firstName, isCreator, role }) => ({
        id: sampleId(username),
        email: sampleEmail(username),
        username,
        first_name: firstName,
        reddit_username: forumNameOf(username),
        password_hash: passwordHash,
        is_creator: isCreator,
        role,
        email_verified_at: joined,
        age_confirmed_at: joined,
        is_sample: true,
        referral_code: referralCodeOf(username),
        created_at: joined,
      })),
    )
    .execute()
  const creators = new Map(CREATORS.map((creator) => [creator.username, creator]))
  await db
    .insertInto('profiles')
    .values(
      people.map(({ username }) => {
        const creator = creators.get(username)
        return {
          user_id: sampleId(username),
          bio: creator?.bio ?? '',
          menu: creator?.menu ?? '',
          limits: creator?.limits ?? '',
          links: JSON.stringify(creator ? [{ _id: sampleId(`${username} link`), ...creator.link }] : []),
          profile_image: portraits.get(username)?.profileImage ?? null,
          profile_hero_image: portraits.get(username)?.heroImage ?? null,
        }
      }),
    )
    // Every account has an empty one from the start.
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        bio: eb.ref('excluded.bio'),
        menu: eb.ref('excluded.menu'),
        limits: eb.ref('excluded.limits'),
        links: eb.ref('excluded.links'),
        profile_image: eb.ref('excluded.profile_image'),
        profile_hero_image: eb.ref('excluded.profile_hero_image'),
      })),
    )
    .execute()
}

async function insertOffers(db: Tx, items: SampleItem[], now: Date): Promise<void> {
  const createdAt = new Date(now.getTime() - 390 * DAY_MS)
  for (const [index, { username, plan, bundle }] of CREATORS.entries()) {
    const creatorId = sampleId(username)
    const own = items.filter((item) => item.creatorId === creatorId)
    const planId = sampleId(`${username} plan`)
    const bundleId = sampleId(`${username} bundle`)
    await db
      .insertInto('subscription_plans')
      .values({
        id: planId,
        creator_id: creatorId,
        title: plan.title,
        price_cents: plan.priceCents,
        chat_enabled: true,
        // Every third includes all locked media.
        includes_all: index % 3 === 1,
        created_at: createdAt,
      })
      .execute()
    await db
      .insertInto('bundles')
      .values({
        id: bundleId,
        creator_id: creatorId,
        title: bundle.title,
        price_cents: bundle.priceCents,
        less_owned: true,
        created_at: createdAt,
      })
      .execute()
    const inPlan = own.filter(
      ({ offer }) => offer === 'subscription' || (index % 3 === 1 && offer !== 'free'),
    )
    // A single stands in it as well, for whose buyers it costs less.
    const single = own.find(({ offer }) => offer === 'single')
    const inBundle = own.filter((item) => item.offer === 'bundle' || item === single)
    await db
      .insertInto('subscription_plan_media')
      .values(inPlan.map(({ id }, position) => ({ plan_id: planId, media_id: id, position })))
      .execute()
    await db
      .insertInto('bundle_media')
      .values(inBundle.map(({ id }, position) => ({ bundle_id: bundleId, media_id: id, position })))
      .execute()
  }
}

async function insertFollows(db: Tx, now: Date): Promise<void> {
  const follows = FANS.flatMap((fan, fanIndex) =>
    CREATORS.filter((_, creatorIndex) => (creatorIndex + fanIndex) % 3 !== 0).map((creator, order) => ({
      follower_id: sampleId(fan.username),
      following_id: sampleId(creator.username),
      created_at: new Date(now.getTime() - (order + 1) * 11 * DAY_MS),
    })),
  )
  await db.insertInto('follows').values(follows).execute()
}
