import { routes } from '../../../contract/index.ts'
import { buildMedia, buildSession, type Person } from '../builders.ts'
import { buildMessage } from '../purchases.ts'
import { type Business, dollars, type Shop, tried } from './business.ts'

/** What one fan alone can pay for: the thing, and what becomes of it once it was paid. */
export type Personal = {
  kind: 'custom' | 'message'
  itemId: string
  price: string
  paid: () => Promise<void>
}

/** A fan's wish that the creator accepts, and delivers or lets lapse once it is paid; null where they decline it. */
export async function wish(
  business: Business,
  fan: Person,
  shop: Shop,
  fate: 'declined' | 'delivered' | 'lapsed',
): Promise<Personal | null> {
  const [asking, creator] = [await apiOf(business, fan), await apiOf(business, shop.person)]
  const body = { requestMessage: 'A song for Sam', maxMinutes: 5, pricePerMinute: '$3' }
  let requestId = ''
  const asked = asking
    .call(routes.createCustomRequest, { body: { ...body, creatorId: shop.person.id } })
    .then(({ _id }) => {
      requestId = _id
    })
  // Who has too many that weren't paid can't ask for more.
  if (!(await tried(business, asked))) return null
  if (fate === 'declined') {
    await creator.call(routes.declineCustomRequest, { body: { requestId, reason: 'Not my style' } })
    return null
  }
  const price = dollars(business, 500, 4000)
  await creator.call(routes.acceptCustomRequest, { body: { requestId, price, deliveryDays: 2 } })
  const paid = async () => {
    if (fate === 'lapsed') return
    const mediaIds = [await buildMedia(business.harness, shop.person)]
    await tried(business, creator.call(routes.deliverCustomRequest, { body: { requestId, mediaIds } }))
  }
  return { kind: 'custom', itemId: requestId, price, paid }
}

/** What a creator sends a fan who follows them, for a price. */
export async function send(business: Business, fan: Person, { person }: Shop): Promise<Personal> {
  const { harness } = business
  const mediaIds = [await buildMedia(harness, person), await buildMedia(harness, person)]
  const price = dollars(business, 200, 2000)
  return {
    kind: 'message',
    itemId: await buildMessage(harness, person, fan, { mediaIds, price }),
    price,
    paid: async () => {},
  }
}

const apiOf = async ({ harness }: Business, { id }: Person) =>
  harness.api.as({ token: await buildSession(harness, id) })
