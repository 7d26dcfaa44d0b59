import { useConfig } from '../../lib/config.ts'
import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { TextPage } from '../../ui/TextPage.tsx'
import styles from './affiliates.module.css'
import { OwnReferralLink } from './OwnReferralLink.tsx'

/** How referrals work, at /how-to-use and at /dashboard/how-to-use. */
export function Component() {
  const { brand } = useOperator()
  const video = useConfig()?.brand.howToVideo
  return (
    <TextPage
      title="How referrals work"
      lead="One link, yours for good. Share it, and earn on everybody who signs up by it."
      sections={[
        ...(video ? [{ id: 'video', title: 'In a short video', body: <HowToVideo address={video} /> }] : []),
        { id: 'link', title: '1. Take your link', body: <OwnReferralLink /> },
        {
          id: 'share',
          title: '2. Share it',
          body: (
            <>
              <p>
                Put it where people already listen to you: your profile on the forum, other platforms, a
                message to a friend who creates. It opens your profile and remembers that they came from you.
              </p>
              <p>
                Any page works. Add <code>?ref=</code> and your code to its address, a picture’s page for
                example, and it counts the same.
              </p>
            </>
          ),
        },
        {
          id: 'signup',
          title: '3. They sign up',
          body: (
            <p>
              The sign-up form shows <strong>Referred By:</strong> with your username, so that they see it
              worked. They don’t have to sign up at once: their browser remembers your code. If they come by
              somebody else’s link later, the newest one counts.
            </p>
          ),
        },
        {
          id: 'earn',
          title: '4. You earn',
          body: (
            <>
              <p>
                From then on you earn 7% of what they spend and of what they earn, whether they buy or sell.
                If buyer and seller were referred by different people, each gets half. If you referred both,
                or only one of them was referred, you get the whole rate. After the first year it sinks
                slowly; the numbers are on the page for <TextLink to={paths.affiliates}>affiliates</TextLink>.
              </p>
              <p>
                Commissions are paid out of the fee that {brand} keeps. Your friends pay no more, and creators
                earn no less. You find them among your <TextLink to={paths.earnings}>earnings</TextLink>:
                pending for 7 days, then available.
              </p>
            </>
          ),
        },
        {
          id: 'together',
          title: 'Promoting together',
          body: (
            <p>
              With a <TextLink to={paths.sharedReferrals}>shared code</TextLink> several people promote as
              one. Its commission is split equally between them.
            </p>
          ),
        },
      ]}
    />
  )
}

/** Loaded when it is played; its box is kept free until then. */
function HowToVideo({ address }: { address: string }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: what it shows is written below it, step by step.
    <video
      className={styles.video}
      src={address}
      controls
      preload="metadata"
      aria-label="How referrals work"
    />
  )
}
