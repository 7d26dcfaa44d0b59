import type { z } from 'zod'
import { profileImageAddress } from '../../../contract/files.ts'
import { isOperator, permissionsOf } from '../../../contract/permissions.ts'
import type { CurrentUser } from '../../../contract/routes/identity/account.ts'
import type { findCurrentUser } from './data.ts'

/** The logged-in person on the wire. Subscriptions are named by the plan, as everywhere on the wire. */
export function presentCurrentUser(
  account: Awaited<ReturnType<typeof findCurrentUser>>,
  secondFactorRequired: boolean,
): z.input<typeof CurrentUser> {
  const mustEnrol = secondFactorRequired && isOperator(account) && !account.second_factor
  return {
    _id: account.id,
    username: account.username,
    email: account.email,
    pendingEmail: account.pending_email,
    firstName: account.first_name,
    lastName: account.last_name,
    redditUsername: account.reddit_username,
    recognizable: account.recognizable,
    forumConnected: account.forum_connected,
    bio: account.bio ?? '',
    profileImage: profileImageAddress(account.id, account.profile_image),
    profileHeroImage: profileImageAddress(account.id, account.profile_hero_image),
    menu: account.menu ?? '',
    limits: account.limits ?? '',
    links: account.links ?? [],
    referralCode: account.referral_code,
    role: account.role,
    permissions: [...permissionsOf(account.role)],
    isCreator: account.is_creator,
    verifiedEmail: account.email_verified_at ? 'verified' : 'unverified',
    secondFactor: mustEnrol ? 'required' : account.second_factor ? 'on' : 'off',
    unlockedMedia: [...new Set(account.unlocked_media)],
    subscriptions: account.subscriptions.map((subscription) => ({
      subscriptionId: subscription.plan_id,
      status: subscription.status,
      expiration: new Date(subscription.current_period_end).toISOString(),
    })),
  }
}
