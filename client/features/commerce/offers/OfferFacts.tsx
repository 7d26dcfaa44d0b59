import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { pictureOf, sourcesOf } from '../../../../contract/media-links.ts'
import { parseMoney } from '../../../../contract/money.ts'
import { BlurPreview } from '../../../ui/BlurPreview.tsx'
import { formatContents, formatDateTime } from '../../../ui/format.ts'
import type { Offer } from './api.ts'
import { nameOf, trialEnd } from './describe.ts'
import styles from './OfferPage.module.css'
import { offerTexts as texts } from './texts.ts'

/** The content of an offer, its price now and later, and its end. */
export function OfferFacts({ offer }: { offer: Offer }) {
  const { subscription, price, reduced, regularPrice, expiresAt, media } = offer
  const saves = price !== null && regularPrice !== null && cents(regularPrice) > cents(price)
  return (
    <>
      {media.length > 0 && (
        <ul className={styles.pictures} aria-hidden data-count={media.length}>
          {media.map((item) => (
            <li key={item._id} className={styles.picture}>
              <BlurPreview hash={item.preview} />
              <Picture item={item} sizes={media.length === 1 ? '30rem' : '15rem'} />
              {item.type === 'video' && <IconPlayerPlayFilled className={styles.video} size={20} />}
            </li>
          ))}
        </ul>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{texts.youGet}</dt>
          <dd>
            {nameOf(offer)}
            <span className={styles.note}>{formatContents(offer) ?? texts.everything}</span>
          </dd>
        </div>
        <div>
          <dt>{texts.pay}</dt>
          <dd>
            {price === null ? texts.nothing : texts.today(reduced?.price ?? price)}
            {saves && <span className={styles.note}>{texts.instead(regularPrice)}</span>}
            {reduced && <span className={styles.note}>{texts.reduced(reduced.owned)}</span>}
          </dd>
        </div>
        <div>
          <dt>{texts.later}</dt>
          <dd>{afterwards(offer, subscription?.price ?? '')}</dd>
        </div>
        {expiresAt && (
          <div>
            <dt>{texts.until}</dt>
            <dd>{formatDateTime(expiresAt)}</dd>
          </div>
        )}
      </dl>
    </>
  )
}

/** What the viewer may see, over its blur. */
function Picture({ item, sizes }: { item: Offer['media'][number]; sizes: string }) {
  const picture = pictureOf(item)
  if (picture === null) return null
  const sources = sourcesOf(item).map(({ url, width }) => `${url} ${width}w`)
  return <img src={picture} srcSet={sources.join(', ')} sizes={sizes} alt="" decoding="async" />
}

const cents = (money: string) => parseMoney(money) ?? 0

function afterwards({ subscriptionDays, price }: Offer, monthly: string): string {
  if (subscriptionDays === null) return texts.keep
  const end = trialEnd(subscriptionDays)
  return price === null ? texts.endsItself(end) : texts.renews(monthly, end)
}
