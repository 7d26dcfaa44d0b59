import { paths } from '../../lib/paths.ts'
import { OperatorEmail } from '../../ui/OperatorContact.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** Refunds: none, except where the law requires them (docs/product.md, Limits). */
export function Component() {
  return (
    <PolicyPage
      title="Refund policy"
      lead="All sales are final, except where the law requires otherwise."
      updated="2026-11-21"
      summary={[
        'Subscriptions, bundles and single items open the moment you pay, so we give no refunds for them.',
        'Where the law gives you a right to your money back, you have that right here too.',
        'If something was charged by mistake, tell us first. We look at every case.',
      ]}
      sections={[
        {
          id: 'rule',
          title: 'The rule',
          body: (
            <>
              <p>
                What you buy here is digital content that you can open at once. By buying, you ask us to open
                it right away, and you agree that the sale is final as soon as it is open to you.
              </p>
              <p>
                We give no refunds or credits for subscriptions, bundles, single items, messages, custom
                requests or tips, and none for parts of a month that you did not use.
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
                page limits them. If such a right applies to your purchase, we refund it.
              </p>
              <p>Write to us as well when:</p>
              <ul>
                <li>you were charged twice for the same thing,</li>
                <li>you paid and what you bought never opened,</li>
                <li>your card was used without your permission.</li>
              </ul>
              <p>We look into each of these and put right what went wrong on our side.</p>
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
                card that paid. What was refunded closes again, and the creator’s share is taken back.
              </p>
            </>
          ),
        },
        {
          id: 'disputes',
          title: 'Before you call your bank',
          body: (
            <p>
              A chargeback takes weeks, and it closes what you bought. Most mistakes we can put right within
              days, so please write to us first. Chargebacks for purchases that were made and opened as
              ordered are a breach of our <TextLink to={paths.termsAndConditions}>terms</TextLink> and can end
              your account.
            </p>
          ),
        },
        {
          id: 'subscriptions',
          title: 'Stopping a subscription',
          body: (
            <p>
              Cancelling is one click and needs no reason. It stops the next charge, and you keep access until
              the end of the period you paid for. See the{' '}
              <TextLink to={paths.cancellationPolicy}>cancellation policy</TextLink>.
            </p>
          ),
        },
      ]}
    />
  )
}
