import { routes } from '../../../contract/index.ts'
import { buildBundle, buildCreator, buildMedia, buildOffer, buildPlan, type Person } from '../builders.ts'
import { messageOf } from '../chat.ts'
import type { Harness } from '../harness.ts'
import { tellOfCreator } from '../told.ts'

/** Media of another creator, who hides from nobody. */
export type Own = { media: string; plan: string; bundle: string }

export type Things = Awaited<ReturnType<typeof buildThings>>

/**
 * Of everything that a creator has one or two, under titles that begin with `trace`, and a conversation with this person,
 * who is told of them, or with somebody else; `own` is another creator’s.
 */
export async function buildThings(harness: Harness, name: string, own: Own, correspondent?: Person) {
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
  const other = correspondent ?? (await buildCreator(harness))
  if (correspondent) await tellOfCreator(harness, { person: correspondent, creator, title: title('plan') })
  return {
    ...(await buildConversation(harness, { creator, other, title })),
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
/**
 * What the creator and another one wrote each other: a photo for free and one for a price, an answer to the first, and
 * what each asked the other for; and a message of the creator to many, which nobody got yet.
 */
async function buildConversation(
  harness: Harness,
  { creator, other, title }: { creator: Person; other: Person; title: (what: string) => string },
) {
  const [attached, forSale] = [
    await buildMedia(harness, creator, { title: title('attached') }),
    await buildMedia(harness, creator, { title: title('forsale') }),
  ]
  const send = async (from: Person, to: Person, more: object) => {
    const socket = await harness.api.as(from).socket()
    const sent = await socket.emit('chat message', messageOf(from, to, more))
    socket.close()
    if (!sent.ok || !sent.message) throw new Error('a message of the test was not sent')
    return sent.message._id
  }
  const attachments = (id: string) => [{ url: `/media/${id}` }]
  const said = await send(creator, other, { content: title('said'), attachments: attachments(attached) })
  const priced = await send(creator, other, {
    content: title('priced'),
    attachments: attachments(forSale),
    price: '$5',
  })
  const answered = await send(other, creator, { content: 'Thanks', replyTo: said })
  const ask = async (by: Person, of: Person, requestMessage: string) => {
    const body = { creatorId: of.id, requestMessage, maxMinutes: 5, pricePerMinute: '$3' }
    return (await harness.api.as(by).call(routes.createCustomRequest, { body }))._id
  }
  const asked = await ask(other, creator, 'A song')
  const wanted = await ask(creator, other, title('wanted'))
  const { _id: mass } = await harness.api.as(creator).call(routes.saveMassMessage, {
    body: {
      content: title('mass'),
      audience: 'followers',
      sendAt: new Date(harness.clock.now().getTime() + 24 * 3600 * 1000).toISOString(),
    },
  })
  return { attached, forSale, said, priced, answered, asked, wanted, mass }
}

/** Everything by which the creator or one of their things could be recognized, and what of it a buyer may still meet, or who was written to. */
export function tracesOf({ creator, referral_code, ...things }: Things) {
  const title = (what: string) => `trace ${things.name} ${what}`
  const bought = [
    creator.id,
    creator.username,
    ...[things.single, things.bundled, things.lent, things.plan, things.bundle, things.attached],
    ...['single', 'bundled', 'lent', 'plan', 'bundle', 'attached'].map(title),
  ]
  const written = [
    ...[things.said, things.priced, things.forSale, things.wanted],
    ...['said', 'priced', 'forsale', 'wanted'].map(title),
  ]
  const others = [
    creator.email,
    ...[
      things.open,
      things.unsold,
      things.cover,
      things.otherPlan,
      things.otherBundle,
      things.offer,
      things.mass,
    ],
    ...['mass', 'open', 'unsold', 'cover', 'otherplan', 'otherbundle', 'offered'].map(title),
  ]
  return { all: [...bought, ...written, ...others], written, others }
}
/** The ids of the creator and of what they have. */
export const idsOf = (things: Things) => {
  const foreign: unknown[] = Object.values(things.own)
  return [...kindsOf(things).keys()].filter((id) => !foreign.includes(id))
}

export type Kind = 'person' | 'single' | 'subscription' | 'bundle' | 'offer' | 'message' | 'custom' | 'mass'

/** What each id is of. */
export const kindsOf = ({
  own,
  creator,
  open,
  single,
  plan,
  bundle,
  otherBundle,
  offer,
  ...things
}: Things) =>
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
    [things.said, 'message'],
    [things.priced, 'message'],
    [things.answered, 'message'],
    [things.asked, 'custom'],
    [things.wanted, 'custom'],
    [things.mass, 'mass'],
  ])
