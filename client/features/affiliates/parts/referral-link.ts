import { REFERRAL_PARAMETERS } from '../../../../contract/constants.ts'
import { paths } from '../../../lib/paths.ts'
import type { Person } from '../../../lib/session.tsx'

/** `<origin>/users/{username}?ref={referralCode}` (docs/product.md, Limits). */
export function referralLink({ username, referralCode }: Person): string {
  const search = new URLSearchParams({ [REFERRAL_PARAMETERS.user]: referralCode })
  return `${location.origin}${paths.profile(username)}?${search}`
}
