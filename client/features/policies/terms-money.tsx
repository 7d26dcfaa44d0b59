import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import type { TextSection } from '../../ui/text-page/TextPage.tsx'

/** The terms on buying, renewing, selling and referring. */
export const termsOfMoney: readonly TextSection[] = [
  {
    id: 'buying',
    title: 'Buying',
    body: (
      <>
        <p>
          You see the full price before you pay. When you press the button, you order and pay; the contract is
          made when the payment goes through. A payment company charges your card; we never see its number.
          Only use a card you’re authorized to use.
        </p>
        <p>
          A purchase unlocks the content for you alone, for personal use. You keep access as long as your
          account and the content exist: if a creator leaves, we’ll tell you and you can download what you own
          before it’s erased. Content that has to be removed by law, or because someone in it didn’t consent,
          is removed for everyone.
        </p>
      </>
    ),
  },
  {
    id: 'subscriptions',
    title: 'Subscriptions',
    body: (
      <p>
        A subscription renews at the end of each term you chose, for the same term and at the price you agreed
        to, until you cancel. You see the next date when you buy, and we email you before each renewal. You
        can cancel in one click and keep access until the end of the paid period. For details, see the{' '}
        <TextLink to={paths.cancellationPolicy}>cancellation policy</TextLink>.
      </p>
    ),
  },
  {
    id: 'refunds',
    title: 'Refunds',
    body: (
      <p>
        Sales are final. We give refunds where the law requires it, and fix mistakes such as a duplicate
        charge; see the <TextLink to={paths.refundPolicy}>refund policy</TextLink>.
      </p>
    ),
  },
  {
    id: 'selling',
    title: 'Selling',
    body: (
      <>
        <p>
          Creators set their own prices. We keep a fee from each sale, which you see in your earnings. The
          rest is yours. Referral commissions come out of our fee, never out of your share.
        </p>
        <p>
          Earnings are pending for 7 days, then available. For a custom request, the 7 days begin when its
          delivery is due. When you request a payout, we review it and pay it. If a purchase is refunded or
          charged back, your share of it is taken back in proportion. You’re responsible for taxes on what you
          earn.
        </p>
        <p>
          You’re independent: not our employee, partner, or agent. You must deliver what you promise in a
          subscription, offer, or custom request.
        </p>
      </>
    ),
  },
  {
    id: 'referrals',
    title: 'Referrals',
    body: (
      <p>
        If you refer people, you earn a commission as described for{' '}
        <TextLink to={paths.affiliates}>affiliates</TextLink>. You can’t refer yourself, and commissions
        earned through deception, spam, or fake accounts are canceled.
      </p>
    ),
  },
]
