import { IconPlayerPlayFilled } from '@tabler/icons-react'
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
          {media.map(({ _id, type, preview }) => (
            <li key={_id} className={styles.picture}>
              <BlurPreview hash={preview} />
              {type === 'video' && <IconPlayerPlayFilled className={styles.video} size={20} />}
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

const cents = (money: string) => parseMoney(money) ?? 0

function afterwards({ subscriptionDays, price }: Offer, monthly: string): string {
  if (subscriptionDays === null) return texts.keep
  const end = trialEnd(subscriptionDays)
  return price === null ? texts.endsItself(end) : texts.renews(monthly, end)
}
