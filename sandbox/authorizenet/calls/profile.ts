import { isExpired, type PresentedCard, takePayment } from '../cards.ts'
import { addressResult, type Effect, effectOfZip, effects, isEffectName } from '../effects.ts'
import type { Gateway } from '../gateway.ts'
import {
  findDuplicate,
  findProfile,
  insertPaymentProfile,
  insertProfile,
  type PaymentProfileRow,
  type ProfileRow,
  paymentProfilesOf,
  replaceCard,
} from '../profiles.ts'
import { ApiError, at, listAt, messages, ok, textAt } from '../wire.ts'
import type { Call, Reply } from './call.ts'

const notFound = () => new ApiError('E00040', 'The record cannot be found.')

/** `createCustomerProfileRequest`: a customer and their cards, without charging. */
export function createProfile(gateway: Gateway, call: Call): Reply {
  const profile = at(call.request, 'profile')
  const customer = {
    merchantCustomerId: textAt(profile, 'merchantCustomerId'),
    description: textAt(profile, 'description'),
    email: textAt(profile, 'email'),
  }
  if (!customer.merchantCustomerId && !customer.description && !customer.email) {
    throw new ApiError('E00041', 'One or more fields of the profile must have a value.')
  }
  const duplicate = findDuplicate(gateway, customer)
  if (duplicate) throw new ApiError('E00039', `A duplicate record with ID ${duplicate.id} already exists.`)
  const cards = listAt(profile, 'paymentProfiles').map((wanted) => ({
    wanted,
    card: takeCard(gateway, wanted),
  }))
  const validations = cards.map((presented) => validate(gateway, call, presented))
  const refused = validations.find((validation) => !validation.passed)
  const validationDirectResponseList = isLive(call)
    ? validations.map((validation) => validation.directResponse)
    : []
  if (refused)
    return {
      body: {
        ...empty,
        validationDirectResponseList,
        messages: messages('E00027', 'The card was not accepted.'),
      },
    }
  const profileId = insertProfile(gateway, customer)
  const ids = cards.map(({ wanted, card }) => String(storeCard(gateway, profileId, wanted, card)))
  return withConnection(cards[0]?.card, {
    ...empty,
    customerProfileId: String(profileId),
    customerPaymentProfileIdList: ids,
    validationDirectResponseList,
    messages: ok(),
  })
}

const empty = {
  customerPaymentProfileIdList: [],
  customerShippingAddressIdList: [],
  validationDirectResponseList: [],
}

/** `createCustomerPaymentProfileRequest`: one more card of a customer. */
export function createPaymentProfile(gateway: Gateway, call: Call): Reply {
  const profile = find(gateway, call)
  const wanted = at(call.request, 'paymentProfile')
  const card = takeCard(gateway, wanted)
  const validation = validate(gateway, call, { wanted, card })
  const direct = isLive(call) ? { validationDirectResponse: validation.directResponse } : {}
  const customerProfileId = String(profile.id)
  if (!validation.passed)
    return {
      body: { customerProfileId, ...direct, messages: messages('E00027', 'The card was not accepted.') },
    }
  const id = storeCard(gateway, profile.id, wanted, card)
  return withConnection(card, {
    customerProfileId,
    customerPaymentProfileId: String(id),
    ...direct,
    messages: ok(),
  })
}

/** `updateCustomerPaymentProfileRequest`: another card, or the same with a new expiry, under the id of one. */
export function updatePaymentProfile(gateway: Gateway, call: Call): Reply {
  const wanted = at(call.request, 'paymentProfile')
  const row = paymentProfileOf(gateway, call, textAt(wanted, 'customerPaymentProfileId'))
  const card = takeCard(gateway, wanted)
  const validation = validate(gateway, call, { wanted, card })
  const direct = isLive(call) ? { validationDirectResponse: validation.directResponse } : {}
  if (!validation.passed)
    return { body: { ...direct, messages: messages('E00027', 'The card was not accepted.') } }
  replaceCard(gateway, row.id, card, billToOf({ wanted, card }))
  return withConnection(card, { ...direct, messages: ok() })
}

function takeCard(gateway: Gateway, wanted: unknown): PresentedCard {
  const card = takePayment(gateway, at(wanted, 'payment'))
  if (!card) throw new ApiError('E00014', 'A required field is missing.')
  const effect = effectOf(card)
  if (effect?.kind === 'refusal') throw new ApiError(effect.code, 'The sandbox was asked to refuse this.')
  return card
}

function effectOf(card: PresentedCard): Effect | null {
  const name = card.codeEffect ?? card.cardEffect
  return name !== null && isEffectName(name) ? effects[name] : null
}

const isLive = (call: Call): boolean =>
  ['liveMode', 'oldLiveMode'].includes(textAt(call.request, 'validationMode'))

type Presented = { wanted: unknown; card: PresentedCard }

/** The address that is kept with a card: what the call says of it, else the zip of its token. */
const billToOf = ({ wanted, card }: Presented): string =>
  JSON.stringify(at(wanted, 'billTo') ?? (card.zip ? { zip: card.zip } : {}))

/** A liveMode validation authorizes nothing and is voided at once; its answer is a comma list. */
function validate(
  gateway: Gateway,
  call: Call,
  { wanted, card }: Presented,
): { passed: boolean; directResponse: string } {
  const effect = call.fault ?? effectOf(card)
  const zip = textAt(wanted, 'billTo', 'zip') || card.zip
  const decision =
    effect?.kind === 'decision'
      ? effect
      : isExpired(card, gateway.now())
        ? effects.expiredCard
        : effectOfZip(zip)
  const passed = !isLive(call) || decision === null
  const fields = Array.from({ length: 68 }, () => '')
  const values: Record<number, string> = {
    1: passed ? '1' : String(decision?.responseCode),
    2: '1',
    3: passed ? '1' : String(decision?.reasonCode),
    5: passed ? '000000' : '',
    6: addressResult(zip),
    7: '0',
    10: '0.00',
    39: card.cardCodeResult,
    51: `XXXX${card.lastFour}`,
    52: card.brand,
  }
  for (const [position, value] of Object.entries(values)) fields[Number(position) - 1] = value
  return { passed, directResponse: fields.join(',') }
}

function storeCard(gateway: Gateway, profileId: number, wanted: unknown, card: PresentedCard): number {
  const added = insertPaymentProfile(gateway, profileId, card, {
    customerType: textAt(wanted, 'customerType'),
    billTo: billToOf({ wanted, card }),
    networkTransId: '',
    isDefault: textAt(wanted, 'defaultPaymentProfile') === 'true',
  })
  if (added.kind === 'full')
    throw new ApiError('E00042', 'The customer has as many payment profiles as can be.')
  if (added.kind === 'stored') return added.id
  const ids = { customerProfileId: String(profileId), customerPaymentProfileId: String(added.id) }
  throw new ApiError('E00039', 'A duplicate payment profile already exists.', ids)
}

function withConnection(card: PresentedCard | undefined, body: Record<string, unknown>): Reply {
  const effect = card ? effectOf(card) : null
  if (effect?.kind === 'connection') return { body, connection: effect }
  return effect?.kind === 'delay' ? { body, delayMilliseconds: effect.milliseconds } : { body }
}

function find(gateway: Gateway, call: Call): ProfileRow {
  const profile = findProfile(gateway, {
    customerProfileId: textAt(call.request, 'customerProfileId'),
    merchantCustomerId: textAt(call.request, 'merchantCustomerId'),
    email: textAt(call.request, 'email'),
  })
  if (!profile) throw notFound()
  return profile
}

const findPaymentProfile = (gateway: Gateway, call: Call): PaymentProfileRow =>
  paymentProfileOf(gateway, call, textAt(call.request, 'customerPaymentProfileId'))

function paymentProfileOf(gateway: Gateway, call: Call, id: string): PaymentProfileRow {
  const found = paymentProfilesOf(gateway, find(gateway, call).id).find((row) => String(row.id) === id)
  if (!found) throw notFound()
  return found
}

/** `getCustomerProfileRequest`, by any of its three keys. */
export function getProfile(gateway: Gateway, call: Call): Reply {
  const profile = find(gateway, call)
  return {
    body: {
      profile: {
        paymentProfiles: paymentProfilesOf(gateway, profile.id).map((row) => masked(row, call)),
        profileType: 'regular',
        customerProfileId: String(profile.id),
        merchantCustomerId: profile.merchantCustomerId,
        description: profile.description,
        email: profile.email,
      },
      messages: ok(),
    },
  }
}

/** `getCustomerPaymentProfileRequest`. */
export function getPaymentProfile(gateway: Gateway, call: Call): Reply {
  const row = findPaymentProfile(gateway, call)
  return {
    body: {
      paymentProfile: { customerProfileId: String(row.profileId), ...masked(row, call) },
      messages: ok(),
    },
  }
}

function masked(row: PaymentProfileRow, call: Call): Record<string, unknown> {
  const isUnmasked = textAt(call.request, 'unmaskExpirationDate') === 'true'
  return {
    ...(row.customerType ? { customerType: row.customerType } : {}),
    ...(row.billTo === '{}' ? {} : { billTo: JSON.parse(row.billTo) as unknown }),
    customerPaymentProfileId: String(row.id),
    ...(row.isDefault ? { defaultPaymentProfile: true } : {}),
    payment: {
      creditCard: {
        cardNumber: `XXXX${row.lastFour}`,
        expirationDate: isUnmasked ? row.expires : 'XXXX',
        cardType: row.brand,
      },
    },
    ...(row.networkTransId ? { originalNetworkTransId: row.networkTransId } : {}),
  }
}

/** `deleteCustomerProfileRequest`: the customer and their cards. */
export function deleteProfile(gateway: Gateway, call: Call): Reply {
  gateway.db.prepare('delete from profiles where id = ?').run(find(gateway, call).id)
  return { body: { messages: ok() } }
}

/** `deleteCustomerPaymentProfileRequest`: one card. */
export function deletePaymentProfile(gateway: Gateway, call: Call): Reply {
  gateway.db.prepare('delete from paymentProfiles where id = ?').run(findPaymentProfile(gateway, call).id)
  return { body: { messages: ok() } }
}
