import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { REFERRAL_PARAMETERS } from '../../../contract/constants.ts'
import { ApiError } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { Fetched } from '../../ui/Fetched.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton, SkeletonLines } from '../../ui/Skeleton.tsx'
import { type Profile, profileQuery } from './api.ts'
import styles from './ProfileGate.module.css'
import { profileTexts } from './texts.ts'

// Few addresses lead there.
const UnknownProfile = lazyPart(() => import('./UnknownProfile.tsx').then((module) => module.default))

/**
 * Shows its content once the profile is there, and says so when nobody has that name. A referral link whose profile
 * isn't shown leads a visitor to sign up.
 */
export function ProfileGate({
  username,
  children,
}: {
  username: string
  children: (profile: Profile) => ReactNode
}) {
  const profile = useQuery(profileQuery(username))
  const { currentUser } = useSession()
  const invited = useSearchParams()[0].has(REFERRAL_PARAMETERS.user)
  if (profile.error instanceof ApiError && profile.error.code === 'user_not_found') {
    if (!currentUser && invited) return <Navigate to={paths.signup} replace />
    return <UnknownProfile />
  }
  return (
    <Fetched
      query={profile}
      waiting={
        <div className={styles.waiting}>
          <div className={styles.hero} />
          <Skeleton width="7rem" height="7rem" />
          <Skeleton width="14rem" height="2rem" />
          <SkeletonLines lines={2} />
        </div>
      }
      failed={profileTexts.loadFailed}
      around={(failure) => <Page title={profileTexts.title}>{failure}</Page>}
    >
      {children}
    </Fetched>
  )
}
