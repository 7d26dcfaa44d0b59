import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** How a subscription ends (docs/product.md, Money). */
export function Component() {
  return (
    <PolicyPage
      title="Cancellation policy"
      lead="Cancel in one click, no reason needed. You keep access until the end of the period you paid for."
      updated="2026-11-21"
      summary={[
        'You can cancel at any time, in one click.',
        'Access stays until the end of the period you paid for. After that you are not charged again.',
        'Until then you can change your mind and undo it.',
      ]}
      sections={[
        {
          id: 'how',
          title: 'How to cancel',
          body: (
            <>
              <p>
                Log in, open <TextLink to={paths.billing}>Billing</TextLink> and choose{' '}
                <strong>Cancel</strong> at the subscription. It takes effect at once. There’s no form, no
                call, and no waiting. An email confirms it.
              </p>
              <p>
                If you can’t log in, write to <OperatorEmail /> from the address of your account and we cancel
                it for you. You can cancel from anywhere, even where content is restricted.
              </p>
            </>
          ),
        },
        {
          id: 'what-happens',
          title: 'What happens then',
          body: (
            <ul>
              <li>Your card is not charged again for that subscription.</li>
              <li>
                Everything the subscription opened stays open until the end of the paid period, on the date
                shown with it.
              </li>
              <li>You can resume it with one click until that date, and nothing is interrupted.</li>
              <li>
                Bundles and single items that you bought stay yours. They never depended on the subscription.
              </li>
            </ul>
          ),
        },
        {
          id: 'renewals',
          title: 'How renewals work',
          body: (
            <>
              <p>
                You pay for 1, 3, 6, or 12 months at a time. A subscription renews for the same term, on the
                same day of the month or the last day of a shorter one. You see the price and the next date
                before you pay, and we email you before each renewal.
              </p>
              <p>
                If a renewal can’t be charged, we try again on days 1, 3, 7 and 13. Access stays for 3 days,
                and returns when a later try succeeds; the renewal date stays the same. On day 14 the
                subscription ends automatically, and you owe nothing.
              </p>
              <p>
                Your price changes only if you agree. If a creator asks for a higher one, we email you at
                least 30 days ahead. If you don’t agree, your subscription ends with the paid period.
              </p>
            </>
          ),
        },
        {
          id: 'trials',
          title: 'Trials',
          body: (
            <p>
              A free trial needs no card and simply ends. A discounted trial is charged at once and renews at
              the price the dialog showed, unless you cancel before.
            </p>
          ),
        },
        {
          id: 'by-us',
          title: 'When we or a creator end it',
          body: (
            <p>
              If a creator leaves, or we close their account, your subscription to them stops and is not
              charged again. If your own account is closed for breaking the{' '}
              <TextLink to={paths.termsAndConditions}>terms</TextLink>, your subscriptions stop with it.
            </p>
          ),
        },
        {
          id: 'account',
          title: 'Deleting your account',
          body: (
            <p>
              Deleting your account cancels every subscription at once. Your account is deleted within 30
              days; logging in before then undoes it. What is kept, and why, is in the{' '}
              <TextLink to={paths.privacy}>privacy policy</TextLink>. Money already paid is covered by the{' '}
              <TextLink to={paths.refundPolicy}>refund policy</TextLink>.
            </p>
          ),
        },
      ]}
    />
  )
}
