import { useConfig } from '../../lib/config.ts'
import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { TextPage, type TextSection } from '../../ui/text-page/TextPage.tsx'
import styles from './affiliates.module.css'
import { OwnReferralLink } from './OwnReferralLink.tsx'
import { howToTexts } from './texts.tsx'

/** How referrals work, at /how-to-use and at /dashboard/how-to-use. */
export function Component() {
  const { brand } = useOperator()
  const config = useConfig()
  const video = config?.brand.howToVideo
  const slowly =
    config?.payments.commission === 'lifetime' ? '' : 'After the first year it goes down slowly. '
  return (
    <TextPage
      title={howToTexts.title}
      lead={howToTexts.lead}
      sections={[
        ...(video ? [{ id: 'video', title: 'Short video', body: <HowToVideo address={video} /> }] : []),
        { id: 'link', title: '1. Get your link', body: <OwnReferralLink /> },
        {
          id: 'share',
          title: '2. Share it',
          body: (
            <>
              <p>
                Share it where people already follow you: your forum profile, other platforms, or a message to
                a friend who creates. It opens your profile and remembers that they came from you.
              </p>
              <p>
                Any page works. Add <code>?ref=</code> and your code to its URL, for example a photo’s page,
                and it works the same.
              </p>
            </>
          ),
        },
        {
          id: 'signup',
          title: '3. They sign up',
          body: (
            <p>
              The sign-up form shows <strong>Referred By:</strong> with your username, so they can see it
              worked. They don’t have to sign up right away: their browser remembers your code. If they follow
              someone else’s link later, the most recent one counts.
            </p>
          ),
        },
        {
          id: 'earn',
          title: '4. You earn',
          body: (
            <>
              <p>
                From then on you earn 7% of what they pay creators and what they earn. If buyer and seller
                were referred by different people, each gets half. If you referred both, or only one of them
                was referred, you get the full rate. {slowly}See the numbers for{' '}
                <TextLink to={paths.affiliates}>affiliates</TextLink>.
              </p>
              <p>
                Commissions are paid out of the fee that {brand} keeps. Your friends don’t pay more, and
                creators don’t earn less. You’ll find them under{' '}
                <TextLink to={paths.sharedReferrals}>referrals</TextLink>: pending for 7 days, then available.
              </p>
            </>
          ),
        },
        together,
      ]}
    />
  )
}

const together: TextSection = {
  id: 'together',
  title: 'Promoting together',
  body: (
    <p>
      With a <TextLink to={paths.sharedReferrals}>shared code</TextLink>, several people can promote together.
      They split the commission equally.
    </p>
  ),
}

/** Loaded when it is played; its box is kept free until then. */
function HowToVideo({ address }: { address: string }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: what it shows is written below it, step by step.
    <video className={styles.video} src={address} controls preload="metadata" aria-label={howToTexts.title} />
  )
}
