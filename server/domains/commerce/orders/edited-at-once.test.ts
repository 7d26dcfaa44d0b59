import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import { buildBundle, buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { cardToken, gatewayCaptures } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

const FANS = 4
const ROUNDS = 3

let harness: Harness
let creator: Person
let mediaIds: string[]
let other: string
let bundleId: string
/** Charges that aren't captured yet: all continue together once the last one has arrived. */
let together: (() => Promise<void>) | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name: Checkpoint) => {
      if (name === 'purchase.gateway-answered') await together?.()
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  together = null
  creator = await buildCreator(harness)
  mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)].sort()
  other = await buildMedia(harness, creator)
  bundleId = await buildBundle(harness, creator, { priceCents: 1000, mediaIds })
})

type Bought = { fan: Person; status: number; code: string | undefined }

/** Several fans buy the bundle at the same time, each once. */
async function buyAtOnce(shown: object): Promise<Bought[]> {
  const fans = await Promise.all(Array.from({ length: FANS }, () => buildFan(harness)))
  const tokens = await Promise.all(fans.map(() => cardToken(harness)))
  return Promise.all(
    fans.map(async (fan, index) => {
      const body = { kind: 'bundle', itemId: bundleId, ...shown, ...tokens[index] }
      const answer = await harness.api.as(fan).send('POST', '/users/purchase', { body })
      return { fan, status: answer.status, code: (answer.body as { code?: string }).code }
    }),
  )
}

const edit = (price: string, items: string[]) =>
  harness.api.as(creator).call(routes.editBundle, {
    body: { bundleId, title: 'Edited', price, mediaIds: items },
  })

/** A fan's charge at the gateway, and their items with versions. */
async function outcomeOf({ id, token }: Person) {
  const { db } = harness.context
  const payments = await db.selectFrom('payments').select('reference').where('buyer_id', '=', id).execute()
  const references = payments.map(({ reference }) => reference)
  const charges = (await gatewayCaptures(harness)).filter(({ invoiceNumber }) =>
    references.includes(invoiceNumber),
  )
  const { items } = await harness.api.as({ token }).call(routes.premiumContent, { query: {} })
  const held = await db
    .selectFrom('entitlement_media')
    .select('version_id')
    .where('user_id', '=', id)
    .execute()
  return {
    charged: charges.map(({ amountCents }) => amountCents),
    items: items.map(({ _id }) => _id).sort(),
    versions: held.map(({ version_id }) => version_id).sort(),
  }
}

async function versionsOf(items: string[]): Promise<string[]> {
  const { db } = harness.context
  const rows = await db.selectFrom('media').select('version_id').where('id', 'in', items).execute()
  return rows.map(({ version_id }) => version_id ?? '').sort()
}

test.each([
  { says: 'nothing', shown: {} },
  { says: 'what was shown', shown: { price: '$10', itemCount: 2 } },
])(
  'bought while it is edited, by a call that says $says: one state is paid for and given, no mixture',
  async ({ shown }) => {
    const states = [
      { charged: [1000], items: mediaIds, versions: await versionsOf(mediaIds) },
      { charged: [700], items: [other], versions: await versionsOf([other]) },
    ]
    const isSaid = 'price' in shown
    for (let round = 0; round < ROUNDS; round++) {
      const [bought] = await Promise.all([
        buyAtOnce(shown),
        ...[edit('$7', [other]), edit('$10', mediaIds), edit('$7', [other]), edit('$10', mediaIds)],
      ])
      for (const { fan, status, code } of bought) {
        const outcome = await outcomeOf(fan)
        if (status === 200) expect(isSaid ? states.slice(0, 1) : states).toContainEqual(outcome)
        else {
          expect({ isSaid, code }).toEqual({ isSaid: true, code: 'price_changed' })
          expect(outcome).toEqual({ charged: [], items: [], versions: [] })
        }
      }
    }
  },
)

/** The edits of a creator while fans' charges are being captured. */
const changes: Record<string, () => Promise<unknown>> = {
  'puts others in it': () => edit('$7', [other]),
  'empties it': () => edit('$20', []),
  'makes the items private': () =>
    harness.api.as(creator).call(routes.bulkEditMedia, {
      body: { mediaIds, directOnly: true, addTagIds: [], removeTagIds: [] },
    }),
  'deletes the items': () => harness.api.as(creator).call(routes.bulkDeleteMedia, { body: { mediaIds } }),
}

test.each(Object.keys(changes))(
  'captured at the same moment as the creator %s, all get what they agreed on',
  async (name) => {
    const agreed = { charged: [1000], items: mediaIds, versions: await versionsOf(mediaIds) }
    let arrived = 0
    let change: Promise<unknown> = Promise.resolve()
    const all = Promise.withResolvers<void>()
    together = () => {
      arrived += 1
      if (arrived === FANS) {
        change = changes[name]?.() ?? Promise.reject(new Error('no change'))
        all.resolve()
      }
      return all.promise
    }
    const bought = await buyAtOnce({ price: '$10', itemCount: 2 })
    await change
    expect(bought.map(({ status }) => status)).toEqual(Array(FANS).fill(200))
    for (const { fan } of bought) expect(await outcomeOf(fan)).toEqual(agreed)
  },
)
