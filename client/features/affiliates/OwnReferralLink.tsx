import { REFERRAL_PARAMETERS } from '../../../contract/constants.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { ReturningLinkButton } from '../../ui/LinkButton.tsx'
import { ReturningTextLink } from '../../ui/TextLink.tsx'
import styles from './affiliates.module.css'
import { referralLink } from './parts/referral-link.ts'
import { ownLinkTexts } from './texts.tsx'

/** The person's own referral link to copy; for a visitor the way to get one. */
export function OwnReferralLink() {
  const { currentUser } = useSession()
  if (currentUser) {
    return (
      <>
        <p>{ownLinkTexts.about}</p>
        <div className={styles.copy}>
          <CopyField label={ownLinkTexts.label} value={referralLink(currentUser)} />
        </div>
      </>
    )
  }
  return (
    <>
      <p>{ownLinkTexts.everyone(<code>{`?${REFERRAL_PARAMETERS.user}=`}</code>)}</p>
      <p>
        <ReturningLinkButton to={paths.signup}>{ownLinkTexts.signUp}</ReturningLinkButton>
      </p>
      <p>
        {ownLinkTexts.haveAccount}{' '}
        <ReturningTextLink to={paths.login}>{ownLinkTexts.logIn}</ReturningTextLink>
      </p>
    </>
  )
}
