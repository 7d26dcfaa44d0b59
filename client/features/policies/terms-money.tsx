import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import type { TextSection } from '../../ui/TextPage.tsx'

/** The terms on buying, renewing, selling and referring. */
export const termsOfMoney: readonly TextSection[] = [
  {
    id: 'buying',
    title: 'Buying',
    body: (
      <>
        <p>
          The full price stands before the button. When you press it, you order and pay; the contract is made
          when the payment goes through. Your card is charged by a payment company; its number never reaches
          us. You may only use a card that you are allowed to use.
        </p>
        <p>
          A purchase opens the content for you alone, to look at for yourself. It stays open as long as your
          account and the content exist: if a creator leaves, you are told and can download what you own
          before it is erased. Content that has to go by law, or because somebody in it did not consent, goes
          for everybody.
        </p>
      </>
    ),
  },
  {
    id: 'subscriptions',
    title: 'Subscriptions',
    body: (
      <p>
        A subscription renews every month at the price you agreed to, until you cancel. You are told the next
        date when you buy and by e-mail before each renewal. You cancel in one click and keep access until the
        end of the paid period. The details are in the{' '}
        <TextLink to={paths.cancellationPolicy}>cancellation policy</TextLink>.
      </p>
    ),
  },
  {
    id: 'refunds',
    title: 'Refunds',
    body: (
      <p>
        Sales are final. We refund where the law requires it, and put right mistakes such as a double charge;
        see the <TextLink to={paths.refundPolicy}>refund policy</TextLink>.
      </p>
    ),
  },
  {
    id: 'selling',
    title: 'Selling',
    body: (
      <>
        <p>
          Creators set their own prices. From each sale we keep a fee, which is shown with every sale among
          your earnings; the rest is yours. Referral commissions come out of our fee, never out of your share.
        </p>
        <p>
          Earnings are pending for 7 days, then available. You ask for a payout, we check it and pay it out.
          If a purchase is refunded or charged back, your share of it is taken back in proportion. Taxes on
          what you earn are yours to declare.
        </p>
        <p>
          You are independent: not our employee, partner or agent. What you promise in a subscription, offer
          or custom request you must deliver.
        </p>
      </>
    ),
  },
  {
    id: 'referrals',
    title: 'Referrals',
    body: (
      <p>
        If you bring people along, you earn a commission as described for{' '}
        <TextLink to={paths.affiliates}>affiliates</TextLink>. Nobody refers themselves, and commissions won
        by deceit, spam or made-up accounts are cancelled.
      </p>
    ),
  },
]
