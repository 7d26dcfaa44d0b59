import type { OfferType } from '../../../../../contract/offers.ts'
import { OFFER_LIMITS } from '../../../../../contract/offers.ts'
import type { Picked } from '../../../profiles/parts/people/PeopleField.tsx'
import type { Kind } from '../describe.ts'
import { formTexts as texts } from '../texts.ts'

/** The form's values; numbers as they were typed. */
export type OfferValues = {
  kind: Kind
  cost: 'free' | 'discount'
  subscription: string
  subscriptionDays: string
  bundle: string
  media: string[]
  price: string
  availableTo: Picked[]
  redemptionsAllowed: string
  /** A day of this browser's calendar, or empty. */
  expiresAt: string
}

/** The offer that is asked for: only the fields of its type (docs/product.md, Offers). Nobody picked means everyone. */
export function offerOf(values: OfferValues) {
  const { kind, cost, availableTo, expiresAt } = values
  const of = {
    Trial: {
      subscription: values.subscription || undefined,
      subscriptionDays: Number(values.subscriptionDays),
    },
    Bundle: { bundle: values.bundle || undefined },
    Singles: { media: values.media },
  }[kind]
  return {
    offerType: `${cost}${kind}` satisfies OfferType,
    ...of,
    ...(cost === 'discount' ? { price: values.price } : {}),
    availableToAll: availableTo.length === 0,
    availableTo: availableTo.map(({ _id }) => _id),
    redemptionsAllowed: Number(values.redemptionsAllowed),
    expiresAt: expiresAt === '' ? null : new Date(`${expiresAt}T23:59:59`).toISOString(),
  }
}

/** The errors in the typed numbers. */
export function wrongNumbers({
  kind,
  subscriptionDays,
  redemptionsAllowed,
}: OfferValues): Record<string, string> {
  const isBetween = (text: string, least: number, most: number) =>
    /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most
  return {
    ...(kind !== 'Trial' || isBetween(subscriptionDays, 1, OFFER_LIMITS.days)
      ? {}
      : { subscriptionDays: texts.wrongDays }),
    ...(isBetween(redemptionsAllowed, 0, OFFER_LIMITS.redemptions)
      ? {}
      : { redemptionsAllowed: texts.wrongLimit }),
  }
}
