import { useConfig } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { TextPage, type TextSection } from '../../ui/text-page/TextPage.tsx'
import { RateChart } from './RateChart.tsx'
import { affiliatesTexts } from './texts.tsx'

/** Earnings by referrals (docs/product.md, Limits, 'Affiliate'). */
export function Component() {
  const isForLife = useConfig()?.payments.commission === 'lifetime'
  return (
    <TextPage
      title={affiliatesTexts.title}
      lead={affiliatesTexts.lead}
      summary={[
        ...(isForLife
          ? ['7% of each transaction, for buyers and sellers you referred, for good.']
          : [
              '7% of each transaction in the first year, for buyers and sellers you referred.',
              'After that, 0.1 percentage points less each month, never below 2%.',
            ]),
        'It’s paid out of our fee. No one pays more, and no creator earns less.',
      ]}
      sections={[
        {
          id: 'what',
          title: 'What you earn on',
          body: (
            <>
              <p>
                Everyone has a referral link. You refer everyone who signs up through yours, fan or creator,
                and you earn on both:
              </p>
              <ul>
                <li>
                  <strong>A buyer you referred:</strong> a commission on everything they buy from creators.
                </li>
                <li>
                  <strong>A seller you referred:</strong> a commission on everything they sell.
                </li>
              </ul>
            </>
          ),
        },
        ...(isForLife ? [] : [overTime]),
        {
          id: 'two',
          title: 'When there are two referrers',
          body: (
            <>
              <p>A sale has a buyer and a seller, and each may have been referred by someone.</p>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Who referred them</th>
                    <th scope="col">Who gets what</th>
                  </tr>
                </thead>
                <tbody>
                  {Object.entries(isForLife ? FOR_LIFE : OVER_TIME).map(([who, what]) => (
                    <tr key={who}>
                      <th scope="row">{who}</th>
                      <td>{what}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          ),
        },
        {
          id: 'subreddits',
          title: 'Communities',
          body: (
            <p>
              Do you run a subreddit, or know who does? For a community with at least 1,000 subscribers that
              works with us there is $0.01 per subscriber for you and $0.01 per subscriber for the subreddit.
              Restrictions apply, and we agree on each case beforehand: apply on your{' '}
              <TextLink to={paths.sharedReferrals}>referrals page</TextLink>, or write to <OperatorEmail />.
            </p>
          ),
        },
        {
          id: 'rules',
          title: 'Small print',
          body: (
            <ul>
              <li>The most recent link someone followed before signing up counts.</li>
              <li>You can’t refer yourself.</li>
              <li>A shared code splits its commission equally between the people who share it.</li>
              <li>Commissions are pending for 7 days, then available, and are taken back with a refund.</li>
              <li>
                Spam, fake accounts, and deception cancel commissions; see the{' '}
                <TextLink to={`${paths.termsAndConditions}#referrals`}>terms</TextLink>.
              </li>
            </ul>
          ),
        },
        {
          id: 'start',
          title: 'Get your link',
          body: (
            <>
              <p>Everyone with an account has one. Copy yours and share it wherever you like.</p>
              <p>
                <LinkButton to={paths.dashboardHowToUse} size="lg">
                  {affiliatesTexts.start}
                </LinkButton>
              </p>
            </>
          ),
        },
      ]}
    />
  )
}

const overTime: TextSection = {
  id: 'rate',
  title: 'The rate over time',
  body: (
    <>
      <p>
        For the first 12 months after someone signs up, you earn 7% of each of their transactions. After that,
        the rate goes down by 0.1 percentage points a month until it reaches 2%, where it stays.
      </p>
      <RateChart />
    </>
  ),
}

/** The split when buyer and seller were referred, by who referred them. */
const OVER_TIME = {
  'Two different people': 'Each gets half of their own rate: 7% and 4% become 3.5% and 2%.',
  'The same person': 'Their higher rate, once.',
  'Only one was referred': 'That referrer gets their full rate.',
  'The seller referred the buyer':
    'The seller always gets their full rate on a buyer they referred themselves. The person who referred the seller then gets half of their own rate.',
}
const FOR_LIFE = {
  'Two different people': 'Each gets 3.5%.',
  'The same person': '7%, once.',
  'Only one was referred': 'That referrer gets 7%.',
}
