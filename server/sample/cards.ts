import { sampleId } from './content.ts'
import type { TypedCard } from './gateway.ts'
import { FANS } from './people.ts'

/** A fan's card at the sandbox gateway, and for how many months from now it's good. */
type SampleCard = { cardNumber: string; cardCode: string; months: number; declinesWhenStored?: true }

const VISA: SampleCard = { cardNumber: '4111111111111111', cardCode: '123', months: 29 }
const MASTERCARD: SampleCard = { cardNumber: '5424000000000015', cardCode: '123', months: 41 }
const AMEX: SampleCard = { cardNumber: '370000000000002', cardCode: '1234', months: 22 }
const DISCOVER: SampleCard = { cardNumber: '6011000000000012', cardCode: '123', months: 33 }
/** Paid once by a typed card, and never renews anything (sandbox/authorizenet/README.md). */
const DECLINED: SampleCard = {
  ...{ cardNumber: '4000000000000341', cardCode: '123', months: 27 },
  declinesWhenStored: true,
}

/** The cards of fans who have others than a Visa, used in turn. */
const CARDS: Partial<Record<(typeof FANS)[number]['username'], readonly SampleCard[]>> = {
  // The first fan, whose login is printed, has one that expires soon.
  finn: [VISA, { ...MASTERCARD, months: 1 }],
  samir: [DECLINED],
  noor: [AMEX],
  emil: [MASTERCARD],
  tove: [DISCOVER],
  marcel: [{ ...VISA, months: 4 }],
}

const cardsOf = new Map<string, readonly SampleCard[]>(
  FANS.map(({ username }) => [sampleId(username), CARDS[username] ?? [VISA]]),
)

/** The card with which this person pays their sale of this number, counted from 0. */
export function cardFor(buyerId: string, sale: number): SampleCard {
  const cards = cardsOf.get(buyerId) ?? []
  const card = cards[sale % cards.length]
  if (!card) throw new Error('a sample sale has no card')
  return card
}

/** The card as it's typed in a year that ends at `now`. */
export function typed({ cardNumber, cardCode, months }: SampleCard, now: Date): TypedCard {
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString()
  return { cardNumber, cardCode, expirationDate: `${last.slice(5, 7)}${last.slice(2, 4)}` }
}
