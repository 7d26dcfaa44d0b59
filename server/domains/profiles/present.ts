import type { z } from 'zod'
import { profileImageAddress } from '../../../contract/files.ts'
import type { PublicProfile } from '../../../contract/routes/profiles/profiles.ts'
import type { countShown, findProfile } from './data.ts'

type Profile = NonNullable<Awaited<ReturnType<typeof findProfile>>>
type Counts = Awaited<ReturnType<typeof countShown>>
type Listed = {
  id: string
  username: string
  is_creator: boolean
  profile_image: string | null
  suspended_at?: Date | null
  private?: boolean
}

/** A person as others see them: no email, last name or forum account. Menu and limits are a creator's (docs/product.md, Pages). */
export function presentProfile(
  profile: Profile,
  counts: Counts,
  { isVisitor }: { isVisitor: boolean },
): z.input<typeof PublicProfile> {
  return {
    _id: profile.id,
    username: profile.username,
    firstName: profile.first_name,
    isCreator: profile.is_creator,
    bio: profile.bio ?? '',
    profileImage: profileImageAddress(profile.id, profile.profile_image),
    profileHeroImage: profileImageAddress(profile.id, profile.profile_hero_image),
    menu: profile.is_creator ? (profile.menu ?? '') : '',
    limits: profile.is_creator ? (profile.limits ?? '') : '',
    links: profile.links ?? [],
    ...counts,
    sells: sells(counts),
    ...(isVisitor ? { bundleCount: null, singleCount: null } : {}),
    followerCount: profile.is_creator ? counts.followerCount : 0,
    ...(profile.blocked ? { blocked: true } : {}),
    ...(profile.suspended_at
      ? { suspended: { at: profile.suspended_at.toISOString(), reason: profile.suspension_reason ?? '' } }
      : {}),
  }
}

function sells({ subscriptionCount, bundleCount, singleCount }: Counts) {
  if (subscriptionCount > 0) return 'subscriptions'
  if (bundleCount > 0) return 'bundles'
  return singleCount > 0 ? 'singles' : null
}

/** A person in a list: name, picture and whether they create, and no more (docs/product.md, Access); a private one has no picture. */
export function presentListed(row: Listed) {
  return {
    _id: row.id,
    username: row.username,
    profileImage: row.private ? null : profileImageAddress(row.id, row.profile_image),
    isCreator: row.is_creator,
    ...(row.private ? { private: true as const } : {}),
    ...(row.suspended_at ? { suspended: true as const } : {}),
  }
}
