import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { OperatorEmail } from '../../ui/OperatorContact.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { TextPage } from '../../ui/TextPage.tsx'
import { RateChart } from './RateChart.tsx'

/** What referring people earns (docs/product.md, Limits, 'Affiliate'). */
export function Component() {
  return (
    <TextPage
      title="Affiliates"
      lead="Bring people along and earn on what they spend and on what they make."
      summary={[
        '7% of each transaction in the first year, on buyers and on sellers you referred.',
        'After that 0.1 percentage points less each month, never below 2%.',
        'It is paid out of our fee. Nobody pays more, and no creator earns less.',
      ]}
      sections={[
        {
          id: 'what',
          title: 'What you earn on',
          body: (
            <>
              <p>
                Everybody has a referral link. Who signs up through yours is referred by you, as a fan or as a
                creator, and you earn on both:
              </p>
              <ul>
                <li>
                  <strong>A buyer you referred:</strong> a commission on everything they spend.
                </li>
                <li>
                  <strong>A seller you referred:</strong> a commission on everything they sell.
                </li>
              </ul>
            </>
          ),
        },
        {
          id: 'rate',
          title: 'The rate over time',
          body: (
            <>
              <p>
                For the first 12 months after somebody signed up, it is 7% of each of their transactions. From
                then on it sinks by 0.1 percentage points a month, down to 2%, where it stays.
              </p>
              <RateChart />
            </>
          ),
        },
        {
          id: 'two',
          title: 'When two people referred',
          body: (
            <>
              <p>A sale has a buyer and a seller, and each may have been referred by somebody.</p>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Who referred them</th>
                    <th scope="col">Who gets what</th>
                  </tr>
                </thead>
                <tbody>
                  <tr>
                    <th scope="row">Two different people</th>
                    <td>Each gets half of their own rate: 7% and 4% become 3.5% and 2%.</td>
                  </tr>
                  <tr>
                    <th scope="row">The same person</th>
                    <td>Their higher rate, once.</td>
                  </tr>
                  <tr>
                    <th scope="row">Only one was referred</th>
                    <td>That referrer gets their full rate.</td>
                  </tr>
                  <tr>
                    <th scope="row">The seller referred the buyer</th>
                    <td>
                      The seller always gets their full rate on a buyer they brought themselves. Whoever
                      referred the seller then gets half of theirs.
                    </td>
                  </tr>
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
              Restrictions apply and each case is agreed beforehand: write to <OperatorEmail />.
            </p>
          ),
        },
        {
          id: 'rules',
          title: 'Small print',
          body: (
            <ul>
              <li>The newest link somebody came by before signing up counts.</li>
              <li>Nobody refers themselves.</li>
              <li>A shared code splits its commission equally between its people.</li>
              <li>Commissions are pending for 7 days, then available, and are taken back with a refund.</li>
              <li>
                Spam, made-up accounts and deceit cancel commissions; see the{' '}
                <TextLink to={`${paths.termsAndConditions}#referrals`}>terms</TextLink>.
              </li>
            </ul>
          ),
        },
        {
          id: 'start',
          title: 'Your link is ready',
          body: (
            <>
              <p>It takes a minute: find your link and share it.</p>
              <p>
                <LinkButton to={paths.dashboardHowToUse} size="lg">
                  Get Started
                </LinkButton>
              </p>
            </>
          ),
        },
      ]}
    />
  )
}
