import { useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { formatContents, formatDate, formatNumber, withCents } from '../../../ui/format.ts'
import { Tag, type Tone } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { type OwnOffer, useDeleteOffer, useEndOffer } from './api.ts'
import { headlineOf } from './describe.ts'
import styles from './OffersPage.module.css'
import { offersTexts as texts, typeTexts } from './texts.ts'

const TONES: Record<OwnOffer['status'], Tone> = {
  active: 'good',
  usedUp: 'gold',
  expired: 'neutral',
  ended: 'neutral',
}

/** One offer of the creator's: what it is, its link, what came of it, and the ways to end it. */
export function OfferItem({ offer }: { offer: OwnOffer }) {
  const { username } = useCurrentUser()
  const { _id, offerType, status, views, redemptions, redemptionsAllowed, earnings } = offer
  const link = `${window.location.origin}${paths.offer(username, _id)}`
  return (
    <li className={styles.offer}>
      <div className={styles.head}>
        <div className={styles.words}>
          <p className={styles.name}>{headlineOf(offer)}</p>
          <p className={styles.note}>
            {[typeTexts[offerType], offer.subscription?.title, formatContents(offer)]
              .filter(Boolean)
              .join('\u00a0· ')}
          </p>
          <p className={styles.note}>
            {forWhom(offer)} · {untilWhen(offer)}
          </p>
        </div>
        <Tag tone={TONES[status]}>{texts.status[status]}</Tag>
      </div>
      <dl className={styles.figures}>
        {[
          [texts.views, formatNumber(views)],
          [texts.redeemed, texts.redeemedOf(redemptions, redemptionsAllowed)],
          [texts.earnings, withCents(earnings)],
        ].map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      {(status === 'active' || status === 'usedUp') && <CopyField label={texts.link} value={link} />}
      <Actions offer={offer} />
    </li>
  )
}

function forWhom({ availableToAll, availableTo }: OwnOffer): string {
  return availableToAll ? texts.toEveryone : texts.toSome(availableTo.map(({ username }) => username))
}

function untilWhen({ expiresAt, status }: OwnOffer): string {
  if (expiresAt === null) return texts.neverExpires
  return (status === 'expired' ? texts.expired : texts.expires)(formatDate(expiresAt))
}

function Actions({ offer }: { offer: OwnOffer }) {
  const [asked, setAsked] = useState<'end' | 'delete' | null>(null)
  const end = useEndOffer()
  const remove = useDeleteOffer()
  const name = headlineOf(offer)
  const close = () => setAsked(null)
  return (
    <div className={styles.actions}>
      {(offer.status === 'active' || offer.status === 'usedUp') && (
        <Button variant="default" size="sm" aria-label={texts.endNamed(name)} onClick={() => setAsked('end')}>
          {texts.end}
        </Button>
      )}
      <Button
        variant="subtle"
        color="red"
        size="sm"
        aria-label={texts.removeNamed(name)}
        onClick={() => setAsked('delete')}
      >
        {texts.remove}
      </Button>
      <ConfirmDialog
        opened={asked === 'end'}
        onClose={close}
        title={texts.endAsk.title}
        confirmLabel={texts.endAsk.confirm}
        onConfirm={async () => {
          await end.mutateAsync(offer._id)
          toast.success(texts.ended)
        }}
      >
        {texts.endAsk.effect}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={close}
        title={texts.removeAsk.title}
        confirmLabel={texts.removeAsk.confirm}
        destructive
        onConfirm={async () => {
          await remove.mutateAsync(offer._id)
          toast.success(texts.removed)
        }}
      >
        {texts.removeAsk.effect}
      </ConfirmDialog>
    </div>
  )
}
