import { buildBundle, buildCreator, buildMedia, buildOffer, buildPlan } from '../builders.ts'
import type { Harness } from '../harness.ts'

/** What another creator has, whom nobody is kept away from. */
export type Own = { media: string; plan: string; bundle: string }

export type Things = Awaited<ReturnType<typeof buildThings>>

/** Of everything that a creator has one or two, under titles that begin with `trace`; `own` is another creator’s. */
export async function buildThings(harness: Harness, name: string, own: Own) {
  const creator = await buildCreator(harness, { username: `trace_${name}` })
  const title = (what: string) => `trace ${name} ${what}`
  const open = await buildMedia(harness, creator, {
    title: title('open'),
    showInSearch: true,
    mustUnlock: false,
  })
  const single = await buildMedia(harness, creator, { title: title('single'), showInStore: true })
  const bundled = await buildMedia(harness, creator, { title: title('bundled') })
  const lent = await buildMedia(harness, creator, { title: title('lent') })
  const unsold = await buildMedia(harness, creator, { title: title('unsold'), showInStore: true })
  const plan = await buildPlan(harness, creator, { title: title('plan'), mediaIds: [lent] })
  const bundle = await buildBundle(harness, creator, { title: title('bundle'), mediaIds: [bundled] })
  const otherPlan = await buildPlan(harness, creator, { title: title('otherplan'), mediaIds: [unsold] })
  const otherBundle = await buildBundle(harness, creator, { title: title('otherbundle'), mediaIds: [unsold] })
  const cover = await buildMedia(harness, creator, { title: title('cover'), showInStore: true })
  for (const table of ['subscription_plans', 'bundles'] as const)
    await harness.context.db
      .updateTable(table)
      .set({ cover_media_id: cover })
      .where('creator_id', '=', creator.id)
      .execute()
  const offer = await buildOffer(harness, creator, { type: 'freeBundle', title: title('offered') })
  const { referral_code } = await harness.context.db
    .selectFrom('users')
    .select('referral_code')
    .where('id', '=', creator.id)
    .executeTakeFirstOrThrow()
  return {
    own,
    name,
    creator,
    open,
    single,
    bundled,
    lent,
    unsold,
    cover,
    plan,
    bundle,
    otherPlan,
    otherBundle,
    offer,
    referral_code,
  }
}
/** Everything by which the creator or one of their things could be recognized, and what of it a buyer may still meet. */
export function tracesOf({ creator, referral_code, ...things }: Things) {
  const title = (what: string) => `trace ${things.name} ${what}`
  const bought = [
    creator.id,
    creator.username,
    ...[things.single, things.bundled, things.lent, things.plan, things.bundle],
    ...['single', 'bundled', 'lent', 'plan', 'bundle'].map(title),
  ]
  const others = [
    creator.email,
    ...[things.open, things.unsold, things.cover, things.otherPlan, things.otherBundle, things.offer],
    ...['open', 'unsold', 'cover', 'otherplan', 'otherbundle', 'offered'].map(title),
  ]
  return { all: [...bought, ...others], others }
}
/** The ids of the creator and of what they have. */
export const idsOf = ({ creator, open, single, plan, bundle, otherBundle, offer }: Things) => [
  creator.id,
  open,
  single,
  plan,
  bundle,
  otherBundle,
  offer,
]
export type Kind = 'person' | 'single' | 'subscription' | 'bundle' | 'offer'

/** What each id is of. */
export const kindsOf = ({ own, creator, open, single, plan, bundle, otherBundle, offer }: Things) =>
  new Map<unknown, Kind>([
    [creator.id, 'person'],
    [open, 'single'],
    [single, 'single'],
    [own.media, 'single'],
    [plan, 'subscription'],
    [own.plan, 'subscription'],
    [bundle, 'bundle'],
    [otherBundle, 'bundle'],
    [own.bundle, 'bundle'],
    [offer, 'offer'],
  ])
