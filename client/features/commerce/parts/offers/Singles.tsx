import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { paths } from '../../../../lib/paths.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { Duration } from '../../../../ui/Duration.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../../ui/list/GrowingList.tsx'
import { useList } from '../../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../../ui/Skeleton.tsx'
import { Tag } from '../../../../ui/Tag.tsx'
import { type FeedMedia, purchasableMediaQuery } from '../../../media/api.ts'
import { type Buyable, singleOf } from '../buyable.ts'
import { offerTexts, singleTexts } from '../texts.ts'
import { MembersOnly } from './MembersOnly.tsx'
import { OfferPicture } from './OfferPicture.tsx'
import { OfferList, OfferRow } from './OfferRow.tsx'

type SinglesProps = {
  creatorId: string
  own: boolean
  /** Not given where nothing can be bought, as of the viewer's own. */
  onBuy?: (item: Buyable) => void
  /** An item as it is shown, null for none; as the server says unless told. */
  show?: (media: FeedMedia) => FeedMedia | null
  /** A tap on an item that the viewer may see. */
  onOpen: (media: FeedMedia) => void
}

/** The single items that a creator sells, for people who are logged in (docs/product.md, Pages, Singles tab). */
export function Singles(props: SinglesProps) {
  return (
    <MembersOnly what={singleTexts.title}>
      <SinglesList {...props} />
    </MembersOnly>
  )
}

/** The same for who is known to be logged in; `empty` stands in place of none. */
export function SinglesList({
  creatorId,
  own,
  onBuy,
  show = (media) => media,
  onOpen,
  empty,
}: SinglesProps & { empty?: ReactNode }) {
  const list = useList(purchasableMediaQuery(creatorId))
  return (
    <GrowingList
      list={list}
      waiting={<SkeletonLines />}
      byButton
      empty={
        empty ?? (
          <EmptyState
            title={own ? singleTexts.ownNone : singleTexts.none}
            {...(own ? { action: <LinkButton to={paths.manageMedia}>{singleTexts.choose}</LinkButton> } : {})}
          />
        )
      }
    >
      <OfferList label={singleTexts.title}>
        {list.items.map((item) => {
          const media = show(item)
          return (
            media && (
              <SingleRow
                key={media._id}
                media={media}
                own={own}
                onOpen={onOpen}
                {...(onBuy ? { onBuy } : {})}
              />
            )
          )
        })}
      </OfferList>
    </GrowingList>
  )
}

type SingleRowProps = Pick<SinglesProps, 'own' | 'onBuy' | 'onOpen'> & { media: FeedMedia }

function SingleRow({ media, own, onBuy, onOpen }: SingleRowProps) {
  const item = singleOf(media)
  return (
    <OfferRow
      title={item.title}
      price={item.price}
      picture={<OfferPicture media={media} onOpen={onOpen} />}
      facts={
        <span>
          {media.type === 'video' ? singleTexts.video : singleTexts.photo}
          {media.duration != null && (
            <>
              {' · '}
              <Duration seconds={media.duration} />
            </>
          )}
        </span>
      }
      action={
        own ? (
          <LinkButton to={paths.editMedia(media._id)} variant="default">
            {offerTexts.edit}
          </LinkButton>
        ) : media.owned ? (
          <>
            <Tag tone="gold">
              <IconCheck size={16} stroke={2} aria-hidden />
              {offerTexts.yours}
            </Tag>
            <LinkButton to={paths.media(media._id)} variant="default">
              {singleTexts.view}
            </LinkButton>
          </>
        ) : (
          onBuy && (
            <Button onClick={() => onBuy(item)} aria-label={singleTexts.buyNamed(item.title)}>
              {singleTexts.buy}
            </Button>
          )
        )
      }
    />
  )
}
