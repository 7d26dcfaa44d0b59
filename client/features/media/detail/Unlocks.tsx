import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { formatContents } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Money, Price } from '../../../ui/Money.tsx'
import type { Media, MediaView } from '../api.ts'
import { detailTexts as texts } from './texts.ts'
import styles from './Unlocks.module.css'

/** A subscription or bundle that holds the item. */
export type Unlock = MediaView['unlocks'][number]

type UnlocksProps = {
  media: Media
  unlocks: readonly Unlock[]
  onBuy: () => void
  onUnlock: (unlock: Unlock) => void
}

/** The ways to unlock an item: as a single, then subscriptions and bundles that contain it, each with its price. */
export function Unlocks({ media, unlocks, onBuy, onUnlock }: UnlocksProps) {
  const { type, title } = media
  const single = title || texts.single[type]
  return (
    <section className={styles.unlocks} aria-label={texts.unlocks[type]}>
      <h2 className={styles.heading}>{texts.unlocks[type]}</h2>
      <ul>
        {media.showInStore && (
          <li className={styles.offer}>
            <p className={styles.words}>
              <span className={styles.title}>{texts.single[type]}</span>
              <span className={styles.facts}>{texts.singleFacts}</span>
            </p>
            <p className={styles.price}>
              <Money value={media.price} />
            </p>
            <Button variant="default" onClick={onBuy} aria-label={texts.buyNamed(single)}>
              {texts.buy}
            </Button>
          </li>
        )}
        {unlocks.map((unlock) => {
          const monthly = unlock.kind === 'subscription'
          const name = (monthly ? texts.subscribeTo : texts.buyBundleNamed)(unlock.title)
          return (
            <li key={unlock._id} className={styles.offer}>
              <p className={styles.words}>
                <span className={styles.title}>{unlock.title}</span>
                <span className={styles.facts}>{factsOf(unlock)}</span>
              </p>
              {!unlock.retired && (
                <p className={styles.price}>
                  <Price
                    value={unlock.reduced?.price ?? unlock.price}
                    {...(unlock.reduced ? { instead: unlock.price } : {})}
                    look="plain"
                  />
                  {monthly && texts.perMonth}
                </p>
              )}
              <div className={styles.actions}>
                {unlock.pastDue && <PastDueLink unlock={unlock} />}
                {!unlock.retired && !isUndecided(unlock) && (
                  <Button variant="default" onClick={() => onUnlock(unlock)} aria-label={name}>
                    {monthly ? texts.subscribe : texts.buyBundle}
                  </Button>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function factsOf(unlock: Unlock): string {
  if (!unlock.pastDue) return formatContents(unlock) ?? texts.emptyOffer
  return unlock.owed === null ? texts.processing : texts.owing(unlock.owed)
}

/** Whether a payment of who is past due is still undecided, so that another one would be refused. */
const isUndecided = ({ pastDue, owed }: Unlock) => pastDue && owed === null

/** Where who is past due pays: by another card, unless a charge is still undecided. */
export function PastDueLink({ unlock: { title, owed } }: { unlock: Unlock }) {
  return owed === null ? (
    <LinkButton to={paths.billing}>{texts.seeBilling}</LinkButton>
  ) : (
    <LinkButton to={paths.billing} aria-label={texts.updateCardFor(title)}>
      {texts.updateCard}
    </LinkButton>
  )
}
