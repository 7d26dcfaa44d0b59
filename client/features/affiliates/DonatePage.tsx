import { useQuery } from '@tanstack/react-query'
import { DONATION_ID } from '../../../contract/orders.ts'
import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { afterLogin } from '../../lib/redirect.ts'
import { useSession } from '../../lib/session.tsx'
import { keepWish } from '../../lib/wish.ts'
import { Button } from '../../ui/core/Button.tsx'
import { Fetched } from '../../ui/Fetched.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { ReturningTextLink, TextLink } from '../../ui/TextLink.tsx'
import { usePurchase } from '../commerce/parts/purchase.tsx'
import { useTip } from '../commerce/parts/tips.tsx'
import styles from './affiliates.module.css'
import { donationsQuery } from './api.ts'
import { donateTexts } from './texts.tsx'

/** How to give something to the operator by card, and what it is for. */
export function Component() {
  const { brand } = useOperator()
  return (
    <Page title={donateTexts.title} lead={donateTexts.lead(brand)} width="text">
      <div className={styles.text}>
        <p>{donateTexts.what}</p>
        <Give brand={brand} />
        <p>
          {donateTexts.invite((words) => (
            <TextLink to={paths.howToUse}>{words}</TextLink>
          ))}
        </p>
        <div className={styles.actions}>
          <LinkButton to={paths.contact} variant="default">
            {donateTexts.contact}
          </LinkButton>
          <LinkButton to={paths.howToUse} variant="default">
            {donateTexts.referrals}
          </LinkButton>
        </div>
      </div>
    </Page>
  )
}

/** A button for who can give; nothing while nobody takes it. */
function Give({ brand }: { brand: string }) {
  const donations = useQuery(donationsQuery)
  return (
    <Fetched query={donations} waiting={null} failed={donateTexts.failed}>
      {({ taken, own }) => taken && (own ? <p>{donateTexts.own}</p> : <GiveNow brand={brand} />)}
    </Fetched>
  )
}

function GiveNow({ brand }: { brand: string }) {
  const { loggedIn } = useSession()
  const { buy, dialog } = usePurchase()
  const { askForTip, tipDialog } = useTip({ kind: 'donation', _id: DONATION_ID, username: brand }, buy)
  if (!loggedIn)
    return (
      <>
        <div>
          <LinkButton
            to={paths.signup}
            size="lg"
            onClick={() => {
              afterLogin.save(paths.donate)
              // Who wants to pay isn't asked whether they sell, and comes back here once their email is verified.
              keepWish({ label: donateTexts.wish(brand), path: paths.donate, thing: null })
            }}
          >
            {donateTexts.signUp}
          </LinkButton>
        </div>
        <p>
          {donateTexts.haveAccount}{' '}
          <ReturningTextLink to={paths.login}>{donateTexts.logIn}</ReturningTextLink>
        </p>
      </>
    )
  return (
    <div>
      <Button size="lg" onClick={askForTip}>
        {donateTexts.give}
      </Button>
      {tipDialog}
      {dialog}
    </div>
  )
}
