import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** Refunds: none, except where the law requires them (docs/product.md, Limits). */
export function Component() {
  return (
    <PolicyPage
      title="Refund policy"
      lead="All sales are final, except where the law requires otherwise."
      updated="2026-11-21"
      summary={[
        'Subscriptions, bundles, and singles unlock the moment you pay, so we don’t refund them.',
        'Where the law gives you a right to a refund, you have it here too.',
        'If you were charged by mistake, tell us first. We review every case.',
      ]}
      sections={[
        {
          id: 'rule',
          title: 'The rule',
          body: (
            <>
              <p>
                What you buy here is digital content that you can view right away. By buying, you ask us to
                unlock it immediately, and you agree that the sale is final as soon as it’s unlocked.
              </p>
              <p>
                We don’t give refunds or credits for subscriptions, bundles, singles, messages, custom
                requests, tips, or unused parts of a month.
              </p>
            </>
          ),
        },
        {
          id: 'exceptions',
          title: 'Where the law requires a refund',
          body: (
            <>
              <p>
                Some countries and states give buyers rights that no policy can take away. Nothing on this
                page limits them. If such a right applies to your purchase, we’ll refund it.
              </p>
              <p>Write to us as well when:</p>
              <ul>
                <li>you were charged twice for the same thing,</li>
                <li>you paid and what you bought never unlocked,</li>
                <li>your card was used without your permission.</li>
              </ul>
              <p>We look into each of these and fix what went wrong on our end.</p>
            </>
          ),
        },
        {
          id: 'how-to-ask',
          title: 'How to ask',
          body: (
            <>
              <p>
                Write to <OperatorEmail /> from the address of your account. Say what you bought, when, the
                amount, and what went wrong. Never send your card number.
              </p>
              <p>
                We confirm your message within 2 business days and answer within 7. A refund goes back to the
                card you paid with. You lose access to what was refunded, and the creator’s share is taken
                back.
              </p>
            </>
          ),
        },
        {
          id: 'disputes',
          title: 'Before you call your bank',
          body: (
            <p>
              A chargeback takes weeks, and you lose access to what you bought. We can fix most mistakes
              within days, so please write to us first. Chargebacks for purchases that were delivered as
              ordered are a breach of our <TextLink to={paths.termsAndConditions}>terms</TextLink> and can end
              your account.
            </p>
          ),
        },
        {
          id: 'subscriptions',
          title: 'Canceling a subscription',
          body: (
            <p>
              You can cancel in one click, without giving a reason. You won’t be charged again, and you keep
              access until the end of the period you paid for. See the{' '}
              <TextLink to={paths.cancellationPolicy}>cancellation policy</TextLink>.
            </p>
          ),
        },
      ]}
    />
  )
}
