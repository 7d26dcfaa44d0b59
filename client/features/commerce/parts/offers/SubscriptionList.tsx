import { useQuery } from '@tanstack/react-query'
import { isSubscribed } from '../../../../../contract/subscriptions.ts'
import { paths } from '../../../../lib/paths.ts'
import { serverNow } from '../../../../lib/server-clock.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Fetched } from '../../../../ui/Fetched.tsx'
import { formatContents } from '../../../../ui/format.ts'
import { LinkButton } from '../../../../ui/LinkButton.tsx'
import { Tag } from '../../../../ui/Tag.tsx'
import type { Profile } from '../../../profiles/api.ts'
import { type Subscription, subscriptionsQuery } from '../../api.ts'
import { type Buyable, cheapestTerm, subscriptionOf } from '../buyable.ts'
import { offerTexts, subscriptionTexts } from '../texts.ts'
import { OfferPicture } from './OfferPicture.tsx'
import { OfferList, OfferRow } from './OfferRow.tsx'

type OffersProps = { creator: Profile; own: boolean; onBuy: (item: Buyable) => void }

/** The subscriptions of a creator, each with its price per month (docs/product.md, Pages, Subscriptions tab). */
export function SubscriptionList({ creator, own, onBuy }: OffersProps) {
  const list = useQuery(subscriptionsQuery(creator._id))
  return (
    <Fetched query={list} failed={subscriptionTexts.loadFailed}>
      {(data) =>
        data.length === 0 ? (
          <EmptyState
            title={own ? subscriptionTexts.ownNone : subscriptionTexts.none}
            {...(own
              ? { action: <LinkButton to={paths.premiumContent}>{subscriptionTexts.create}</LinkButton> }
              : {})}
          />
        ) : (
          <OfferList label={subscriptionTexts.title}>
            {data.map((subscription) => (
              <SubscriptionRow
                key={subscription._id}
                subscription={subscription}
                creator={creator}
                own={own}
                onBuy={onBuy}
              />
            ))}
          </OfferList>
        )
      }
    </Fetched>
  )
}

/** One subscription: buy it, have it, or edit it. */
export function SubscriptionRow({
  subscription,
  creator,
  own,
  onBuy,
}: OffersProps & { subscription: Subscription }) {
  const { _id, title, description, cover, price, message, chatEnabled, includes } = subscription
  const holds = formatContents(subscription) ?? offerTexts.empty
  const { status, expiration, owed, undecided, retired } = subscription
  const until = expiration === null ? null : new Date(expiration)
  const subscribed = status !== 'past_due' && isSubscribed({ status, expiration: until }, serverNow())
  const term = cheapestTerm(subscription)
  const buy = () => onBuy(subscriptionOf(subscription, creator.username))
  return (
    <OfferRow
      id={_id}
      title={title}
      price={price}
      period={subscriptionTexts.perMonth}
      description={description}
      {...(cover ? { picture: <OfferPicture media={cover} /> } : {})}
      facts={
        <>
          <span>{holds}</span>
          {retired && <span>{offerTexts.retired}</span>}
          {includes === 'allLocked' && <span>{subscriptionTexts.allLocked}</span>}
          {term && !retired && <span>{subscriptionTexts.from(term.perMonth, term.months)}</span>}
          {chatEnabled && <span>{subscriptionTexts.chat}</span>}
          {message && !subscribed && <span>{message}</span>}
        </>
      }
      action={
        own ? (
          <LinkButton to={paths.editSubscription(_id)} variant="default">
            {offerTexts.edit}
          </LinkButton>
        ) : subscribed ? (
          <Tag tone="gold">{subscriptionTexts.subscribed}</Tag>
        ) : creator.blocked || creator.suspended ? null : (
          <>
            {owed !== null && <LinkButton to={paths.billing}>{subscriptionTexts.updateCard}</LinkButton>}
            {undecided && (
              <LinkButton to={paths.billing} variant="default">
                {subscriptionTexts.seeBilling}
              </LinkButton>
            )}
            {!retired && !undecided && (
              <Button
                onClick={buy}
                variant={owed === null ? 'filled' : 'default'}
                aria-label={subscriptionTexts.subscribeTo(title)}
              >
                {subscriptionTexts.subscribe}
              </Button>
            )}
          </>
        )
      }
    />
  )
}
