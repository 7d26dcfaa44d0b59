import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { paths } from '../../../../lib/paths.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Fetched } from '../../../../ui/Fetched.tsx'
import { formatContents } from '../../../../ui/format.ts'
import { LinkButton } from '../../../../ui/LinkButton.tsx'
import { Tag } from '../../../../ui/Tag.tsx'
import type { Profile } from '../../../profiles/api.ts'
import { type Bundle, bundlesQuery } from '../../api.ts'
import { type Buyable, pricesOf, shownOf } from '../buyable.ts'
import { bundleTexts, offerTexts } from '../texts.ts'
import { alreadyHave } from './already-have.ts'
import styles from './BundleList.module.css'
import { MembersOnly } from './MembersOnly.tsx'
import { OfferPicture } from './OfferPicture.tsx'
import { OfferList, OfferRow } from './OfferRow.tsx'

type BundlesProps = {
  creator: Profile
  own: boolean
  onBuy: (item: Buyable) => void
  /** The content of a bundle, shown when it is opened. */
  contents: (bundleId: string) => ReactNode
}

/** The bundles of a creator, for people who are logged in (docs/product.md, Pages, Bundles tab). */
export function BundleList(props: BundlesProps) {
  return (
    <MembersOnly what={bundleTexts.title}>
      <Bundles {...props} />
    </MembersOnly>
  )
}

function Bundles(props: BundlesProps) {
  const list = useQuery(bundlesQuery(props.creator._id))
  return (
    <Fetched query={list} failed={bundleTexts.loadFailed}>
      {(data) =>
        data.length === 0 ? (
          <EmptyState
            title={props.own ? bundleTexts.ownNone : bundleTexts.none}
            {...(props.own
              ? { action: <LinkButton to={paths.premiumContent}>{bundleTexts.create}</LinkButton> }
              : {})}
          />
        ) : (
          <OfferList label={bundleTexts.title}>
            {data.map((bundle) => (
              <BundleRow key={bundle._id} bundle={bundle} {...props} />
            ))}
          </OfferList>
        )
      }
    </Fetched>
  )
}

/** One bundle: counts, how much of it one already has, and what is inside. */
export function BundleRow({ bundle, creator, own, onBuy, contents }: BundlesProps & { bundle: Bundle }) {
  const [opened, setOpened] = useState(false)
  const insideId = useId()
  const { _id, title, description, cover, price } = bundle
  const inside = formatContents(bundle)
  const holds = inside ?? offerTexts.empty
  const have = own ? null : alreadyHave(bundle)
  const buy = () =>
    onBuy({
      kind: 'bundle',
      itemId: _id,
      title,
      ...pricesOf(bundle),
      creatorUsername: creator.username,
      mediaCount: holds,
      ...shownOf(bundle),
      itemCount: bundle.mediaIds.length,
      contentsVersion: bundle.contentsVersion,
    })
  return (
    <OfferRow
      title={title}
      price={bundle.reduced?.price ?? price}
      {...(bundle.reduced ? { fullPrice: price } : {})}
      description={description}
      {...(cover ? { picture: <OfferPicture media={cover} /> } : {})}
      facts={
        <>
          <span>{holds}</span>
          {bundle.retired && <span>{offerTexts.retired}</span>}
          {have && <Tag tone="gold">{have}</Tag>}
        </>
      }
      action={
        own ? (
          <LinkButton to={paths.editBundle(_id)} variant="default">
            {offerTexts.edit}
          </LinkButton>
        ) : bundle.purchased ? (
          <Tag tone="gold">
            <IconCheck size={16} stroke={2} aria-hidden />
            {offerTexts.yours}
          </Tag>
        ) : creator.blocked || creator.suspended || inside === null ? null : (
          <Button onClick={buy} aria-label={bundleTexts.buyNamed(title)}>
            {bundleTexts.buy}
          </Button>
        )
      }
    >
      {bundle.mediaIds.length > 0 && (
        <>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={opened}
            aria-controls={insideId}
            onClick={() => setOpened(!opened)}
          >
            {opened ? bundleTexts.hide : bundleTexts.see}
            <IconChevronDown className={styles.chevron} size={18} stroke={1.75} aria-hidden />
          </button>
          <div id={insideId} className={styles.inside} hidden={!opened}>
            {opened && contents(_id)}
          </div>
        </>
      )}
    </OfferRow>
  )
}
