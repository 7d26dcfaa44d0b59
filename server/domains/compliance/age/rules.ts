/**
 * Whether a visitor counts as of age (docs/product.md, Regions and age). An approval counts everywhere; the visitor's own
 * yes, kept in the cookie or on the account, only outside the restricted regions.
 */
export function isAgeVerified(visitor: {
  restricted: boolean
  approved: boolean
  confirmedOnAccount: boolean
  cookie: boolean
}): boolean {
  return visitor.approved || (!visitor.restricted && (visitor.confirmedOnAccount || visitor.cookie))
}
