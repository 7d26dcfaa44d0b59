import { REFERRAL_PARAMETERS } from '../../contract/constants.ts'
import { type Store, store } from './storage.ts'

/** A visit's referral code: one person's (`ref`) or a shared one (`rid`). */
export type Referral = { referralCode: string | null; sharedReferralCode: string | null }

const CODE = /^[A-Za-z0-9_-]{1,40}$/

/** Keeps a visit's codes until sign-up; the latest visit that has one wins (docs/product.md, Money). */
export function rememberReferral(search: string, place: Store = store): void {
  const parameters = new URLSearchParams(search)
  const codes = Object.values(REFERRAL_PARAMETERS).map((key) => [key, parameters.get(key) ?? ''] as const)
  if (!codes.some(([, code]) => CODE.test(code))) return
  for (const [key, code] of codes) {
    if (CODE.test(code)) place.setItem(key, code)
    else place.removeItem(key)
  }
}

export function readReferral(place: Store = store): Referral {
  return {
    referralCode: place.getItem(REFERRAL_PARAMETERS.user),
    sharedReferralCode: place.getItem(REFERRAL_PARAMETERS.shared),
  }
}

/** Clears the codes once an account was created with them. */
export function forgetReferral(place: Store = store): void {
  for (const key of Object.values(REFERRAL_PARAMETERS)) place.removeItem(key)
}
