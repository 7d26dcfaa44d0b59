/** The name beside what the sandbox found, where everybody vouches for themselves. */
export const SANDBOX_PROVIDER = 'sandbox'

/** How one check ended. The provider keeps whatever it looked at; only this crosses to us. */
export type AgeResult = {
  checkId: string
  result: 'approved' | 'refused' | 'expired'
  /** How it was found out, in the provider's words, for example `document`. */
  method: string
  /** Until when an approval counts; null for the others. */
  expiresAt: Date | null
}

/** A provider that checks a visitor's age on a page of its own and says only how it ended (docs/product.md, Regions and age). */
export type AgeChecks = {
  /** The name that is kept beside its results. */
  provider: string
  /** The address to which the visitor is sent; good for 15 minutes. They come back to `returnUrl`. */
  start(check: { checkId: string; returnUrl: string; now: Date }): string
  /** Reads a result as it was signed; null when it is not the provider's, too old, or says nothing that counts. */
  readResult(message: { body: string; signature: string; now: Date }): AgeResult | null
}
