import { REFERRAL_PARAMETERS } from '../../../contract/constants.ts'
import { paths } from '../../lib/paths.ts'
import { type Person, useSession } from '../../lib/session.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { ReturningLinkButton } from '../../ui/ReturningLinkButton.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './affiliates.module.css'

/** The person's own referral link to copy; for a visitor the way to get one. */
export function OwnReferralLink() {
  const { currentUser } = useSession()
  if (currentUser) {
    return (
      <>
        <p>This is yours. It counts wherever you put it.</p>
        <div className={styles.copy}>
          <CopyField label="Your referral link" value={referralLink(currentUser)} />
        </div>
      </>
    )
  }
  return (
    <>
      <p>
        Everybody with an account has one: the address of their profile with <code>?ref=</code> and a code of
        their own at the end. Sign up, and yours stands here.
      </p>
      <p>
        <ReturningLinkButton to={paths.signup}>Sign Up</ReturningLinkButton>
      </p>
      <p>
        Already have an account? <TextLink to={paths.login}>Log in</TextLink>
      </p>
    </>
  )
}

/** `<origin>/users/{username}?ref={referralCode}` (docs/product.md, Limits). */
function referralLink({ username, referralCode }: Person): string {
  const search = new URLSearchParams({ [REFERRAL_PARAMETERS.user]: referralCode })
  return `${location.origin}${paths.profile(username)}?${search}`
}
