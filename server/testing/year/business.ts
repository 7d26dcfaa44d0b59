import { sql } from 'kysely'
import { routes } from '../../../contract/index.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { JobName, JobPayload } from '../../jobs/catalogue.ts'
import { Refused } from '../api.ts'
import {
  buildBankDetails,
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildPlan,
  buildUser,
  type Person,
} from '../builders.ts'
import { type Harness, startHarness } from '../harness.ts'

/** What a creator sells: two singles, a bundle that has both and one item more, and something by each type of offer. */
export type Shop = {
  person: Person
  plan: string
  bundle: string
  singles: string[]
  offers: {
    freeTrial: string
    discountTrial: string
    freeBundle: string
    discountBundle: string
    freeSingles: string
    discountSingles: string
  }
}

export type Business = {
  harness: Harness
  shops: Shop[]
  fans: Person[]
  /** Two who may move money, as nobody decides alone. */
  finance: Person
  second: Person
  /** What the bank moved by itself in sum, in cents, and how many bills came. */
  bank: { cents: number; bills: number }
  /** References of charges that were made at the gateway by hand. */
  strays: string[]
  /** What was refused, by code, and how often. */
  refusals: Map<string, number>
  random(): number
}

/** Sets up what is sold and signs people up, half of them by a referral. */
export async function openBusiness({
  creators,
  fans: many,
  seed,
}: {
  creators: number
  fans: number
  seed: number
}): Promise<Business> {
  const harness = await startHarness({ restricted: true })
  const random = seeded(seed)
  const shops: Shop[] = []
  for (let made = 0; made < creators; made++) shops.push(await openShop(harness, random))
  const fans: Person[] = []
  for (let made = 0; made < many; made++) fans.push(await buildFan(harness))
  const finance = await buildUser(harness, { role: 'finance' })
  const second = await buildUser(harness, { role: 'finance' })
  // Who takes donations.
  await buildUser(harness, { role: 'superadmin' })
  const outside = { bank: { cents: 0, bills: 0 }, strays: [] }
  const business = { harness, shops, fans, finance, second, ...outside, refusals: new Map(), random }
  await refer(business)
  await shareCode(business)
  await follow(business)
  return business
}

async function openShop(harness: Harness, random: () => number): Promise<Shop> {
  const person = await buildCreator(harness)
  await buildBankDetails(harness, person.id)
  const price = () => 300 + Math.floor(random() * 2500)
  const single = () => buildMedia(harness, person, { showInStore: true, priceCents: price() })
  const singles = [await single(), await single()]
  const rest = await buildMedia(harness, person)
  const plan = await buildPlan(harness, person, { priceCents: price(), mediaIds: [...singles, rest] })
  await harness.context.db
    .insertInto('subscription_plan_terms')
    .values({ plan_id: plan, months: 3, discount_percent: 10 })
    .execute()
  const held = { priceCents: 600 + price(), lessOwned: true, mediaIds: [...singles, rest] }
  const bundle = await buildBundle(harness, person, held)
  const offer = (options: Parameters<typeof buildOffer>[2]) => buildOffer(harness, person, options)
  return {
    ...{ person, plan, bundle, singles },
    offers: {
      freeTrial: await offer({ type: 'freeTrial', itemId: plan }),
      discountTrial: await offer({ type: 'discountTrial', itemId: plan, priceCents: 200 }),
      freeBundle: await offer({ type: 'freeBundle', itemId: bundle }),
      discountBundle: await offer({ type: 'discountBundle', itemId: bundle, priceCents: 500 }),
      freeSingles: await offer({ type: 'freeSingles', mediaIds: [rest] }),
      discountSingles: await offer({ type: 'discountSingles', priceCents: price() }),
    },
  }
}

/** Creators were referred by creators, fans by creators or fans. */
async function refer(business: Business): Promise<void> {
  const { harness, shops, fans, random } = business
  const creators = shops.map(({ person }) => person)
  const referrers = [...creators, ...fans.slice(0, Math.ceil(fans.length / 10))]
  for (const { id } of [...creators, ...fans]) {
    const by = oneOf(business, referrers)
    if (!by || by.id === id || random() < 0.5) continue
    await harness.context.db.updateTable('users').set({ referred_by: by.id }).where('id', '=', id).execute()
  }
}

/** The first two creators share a code, which referred some of the fans. */
async function shareCode({ harness, shops, fans }: Business): Promise<void> {
  const [first, partner] = shops.map(({ person }) => person)
  if (!first || !partner) return
  const code = { title: 'Team', participantIds: [] }
  const { _id: code_id } = await harness.api.as(first).call(routes.createSharedCode, { body: code })
  const { db } = harness.context
  await db
    .insertInto('shared_code_participants')
    .values({ code_id, user_id: partner.id, place: 1, accepted_at: harness.clock.now() })
    .execute()
  const cameBy = fans.filter((_, index) => index % 4 === 1).map(({ id }) => id)
  await db
    .updateTable('users')
    .set({ referred_by: null, referred_by_shared: code_id })
    .where('id', 'in', cameBy)
    .execute()
}

/** Each fan follows whom they come back to, who may write to them. */
async function follow({ harness, shops, fans }: Business): Promise<void> {
  for (const [index, fan] of fans.entries()) {
    const followingId = shops[index % shops.length]?.person.id
    if (followingId) await harness.api.as(fan).call(routes.toggleFollow, { body: { followingId } })
  }
}

export const chance = ({ random }: Business, share: number): boolean => random() < share

/** One of these; undefined only where there are none. */
export function oneOf<T>({ random }: Pick<Business, 'random'>, list: readonly T[]): T | undefined {
  return list[Math.floor(random() * list.length)]
}

/** Money text of so many cents at least, and less than that and so many more. */
export const dollars = ({ random }: Business, least: number, range: number): string =>
  formatMoney(least + Math.floor(random() * range))

type Page<Item> = { items: Item[]; nextCursor?: string | null | undefined }

/** What all pages of a list hold. */
export async function pages<Item>(
  read: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read({ limit: 60, ...(cursor ? { cursor } : {}) })
    items.push(...page.items)
    cursor = page.nextCursor ?? null
  }
  return items
}

/** Whether it was done; what is refused is counted, and never an error of ours. */
export async function tried({ refusals }: Business, work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (!(error instanceof Refused) || error.status >= 500) throw error
    refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1)
    return false
  }
}

/** Runs these jobs one after the other. */
export async function work({ harness }: Pick<Business, 'harness'>, jobs: readonly JobName[]): Promise<void> {
  const run = { attempt: 1, lastAttempt: false }
  for (const job of jobs)
    await (harness.server.jobs[job] as (payload: object, run: object) => unknown)({}, run)
}

/** Tells people what new prices mean for them: of what they are asked first, as it is one thing a day. */
export async function tellOfPrices({ harness }: Pick<Business, 'harness'>): Promise<void> {
  const { rows } = await sql<{ payload: JobPayload<'prices.tell'> }>`
    with due as (
      delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
      where task.id = task_id and identifier = 'prices.tell' returning payload
    )
    select payload from due order by payload ->> 'changeId' nulls last`.execute(harness.context.db)
  const run = { attempt: 1, lastAttempt: false }
  for (const { payload } of rows) await harness.server.jobs['prices.tell'](payload, run)
}

/** A small generator (mulberry32), so that a failed run can be run again. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
