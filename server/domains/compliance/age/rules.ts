import type { z } from 'zod'
import type { AgeVerifier } from '../../../../contract/routes/compliance/age.ts'

/**
 * By whom a visitor counts as of age, null for nobody (docs/product.md, Regions and age). An approval counts everywhere;
 * the visitor's own yes, kept in the cookie or on the account, only outside the restricted regions.
 */
export function ageVerifiedBy(visitor: {
  restricted: boolean
  approvedByProvider: boolean
  approvedByOperator: boolean
  confirmedOnAccount: boolean
  cookie: boolean
}): z.output<typeof AgeVerifier> | null {
  if (visitor.approvedByProvider) return 'provider'
  if (visitor.approvedByOperator) return 'operator'
  if (visitor.restricted) return null
  return visitor.confirmedOnAccount || visitor.cookie ? 'visitor' : null
}
