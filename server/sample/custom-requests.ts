import type { Context } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { unlockedMediaIds } from '../domains/media/entitlements/data.ts'
import {
  acceptRequest,
  type By,
  createRequest,
  declineRequest,
  deliverRequest,
} from '../domains/messaging/custom-requests/actions.ts'
import { audienceOf } from '../viewer.ts'
import type { Bill, Charged } from './charges.ts'
import { type SampleItem, sampleId } from './content.ts'
import { insertSale } from './sales.ts'

const HOUR_MS = 3600 * 1000
/** So long after the request its fan pays. */
const PAID_AFTER = 2

type SampleRequest = {
  fan: string
  creator: string
  wish: string
  minutes: number
  perMinute: string
  hoursAgo: number
  /** How far it came; a price is what the creator asked. */
  until: 'requested' | 'declined' | 'accepted' | 'paid' | 'delivered'
  priceCents?: number
}

/** One request in each state; of the printed logins, a fan and a creator, most of them. */
const REQUESTS: readonly SampleRequest[] = [
  {
    ...{ fan: 'finn', creator: 'mara', minutes: 3, perMinute: '$9', hoursAgo: 200 },
    ...{ wish: 'The ridge at sunrise, seen from the hut, if the weather lets you.' },
    ...{ until: 'delivered', priceCents: 2700 },
  },
  {
    ...{ fan: 'greta', creator: 'mara', minutes: 2, perMinute: '$12', hoursAgo: 40 },
    ...{ wish: 'Could you film how you wax your skis before a long day?' },
    ...{ until: 'paid', priceCents: 3000 },
  },
  {
    ...{ fan: 'samir', creator: 'mara', minutes: 5, perMinute: '$4', hoursAgo: 5 },
    ...{ wish: 'A slow walk along the glacier stream, with its sound.' },
    ...{ until: 'requested' },
  },
  {
    ...{ fan: 'finn', creator: 'okko', minutes: 4, perMinute: '$6', hoursAgo: 20 },
    ...{ wish: 'One evening of fog over the harbor, in one take.' },
    ...{ until: 'accepted', priceCents: 2400 },
  },
  {
    ...{ fan: 'finn', creator: 'theo_dunes', minutes: 60, perMinute: '$2', hoursAgo: 90 },
    ...{ wish: 'An hour of nothing but wind in the dunes.' },
    ...{ until: 'declined' },
  },
]

/** The payments for the sample’s custom requests. */
export function planRequestBills(now: Date): Bill[] {
  return REQUESTS.flatMap(({ fan, hoursAgo, until, priceCents = 0 }, index) =>
    until === 'paid' || until === 'delivered'
      ? [{ ...billOf(fan, index), amountCents: priceCents, at: hoursBefore(now, hoursAgo - PAID_AFTER) }]
      : [],
  )
}

const billOf = (fan: string, index: number) => ({
  reference: `sample-request-${index}`,
  buyerId: sampleId(fan),
  kind: 'custom' as const,
})

const hoursBefore = (now: Date, hours: number) => new Date(now.getTime() - hours * HOUR_MS)

/** The sample's custom requests, announced by the same functions as real ones. */
export async function insertCustomRequests(
  db: Tx,
  context: Context,
  items: SampleItem[],
  { captures, now }: { captures: Charged['captures']; now: Date },
): Promise<void> {
  for (const [index, request] of REQUESTS.entries()) {
    const { fan, creator, hoursAgo, until, priceCents = 0 } = request
    const at = (hours: number) => hoursBefore(now, hoursAgo - hours)
    const [fanId, creatorId] = [sampleId(fan), sampleId(creator)]
    const asked = { creatorId, requestMessage: request.wish, maxMinutes: request.minutes }
    const terms = { ...asked, pricePerMinute: request.perMinute }
    const requestId = await createRequest(db, byOf(context, fanId, false, at(0)), terms)
    const creates = (hours: number) => byOf(context, creatorId, true, at(hours))
    if (until === 'requested') continue
    if (until === 'declined') {
      await declineRequest(db, creates(1), { requestId, reason: 'I keep my videos under ten minutes.' })
      continue
    }
    const price = `$${priceCents / 100}`
    await acceptRequest(db, creates(1), { requestId, price, deliveryDays: 7 })
    if (until === 'accepted') continue
    const title = `Custom request to @${creator}`
    const sale = { ...billOf(fan, index), creatorId, itemId: requestId, title, amountCents: priceCents }
    await insertSale(db, context, { ...sale, at: at(PAID_AFTER) }, captures)
    if (until === 'paid') continue
    const own = items.filter((item) => item.creatorId === creatorId && item.offer !== 'free')
    const ids = own.map(({ id }) => id)
    const owned = await unlockedMediaIds(db, fanId, ids)
    const mediaIds = ids.filter((id) => !owned.has(id)).slice(0, 1)
    await deliverRequest(db, creates(30), {
      requestId,
      mediaIds,
      content: 'Here it is. The clouds left just in time.',
    })
  }
}

function byOf({ config }: Context, id: string, isCreator: boolean, now: Date): By {
  const sender = { id, isCreator }
  const audience = { ...audienceOf({ ...sender, role: null }, { country: null, region: null }), id }
  return { sender, audience, config, publishingOpen: true, now }
}
