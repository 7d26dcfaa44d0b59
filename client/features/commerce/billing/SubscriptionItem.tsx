import { useState } from 'react'
import { accessUntil } from '../../../../contract/subscriptions.ts'
import { errorMessage } from '../../../lib/api.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { toast } from '../../../ui/toast.ts'
import { storedCardTexts as cardTexts } from '../cards/texts.ts'
import type { OwnSubscription } from '../parts/subscriptions/api.ts'
import { everyTerm } from '../parts/texts.ts'
import { useCancelSubscription, useResumeSubscription } from './api.ts'
import styles from './billing.module.css'
import { PriceChange } from './PriceChange.tsx'
import { SubscriptionStatusTag } from './SubscriptionStatusTag.tsx'
import { TermDialog } from './TermDialog.tsx'
import { billingTexts as texts } from './texts.ts'

type SubscriptionItemProps = {
  subscription: OwnSubscription
  /** Opens the dialog of the card, which outlives the row: it may change or go while a card is typed. */
  onUpdateCard: (subscription: OwnSubscription) => void
}

/** One subscription with its price, what comes next, and the one button that changes that. */
export function SubscriptionItem({ subscription, onUpdateCard }: SubscriptionItemProps) {
  const { title, creator, status, canResume } = subscription
  const { price, months } = subscription.owed ?? subscription
  const canCancel = status !== 'canceled' && status !== 'expired' && status !== 'trialing'
  return (
    <li className={styles.item}>
      <div className={styles.sold}>
        <Avatar src={creator.profileImage} name={creator.username} size={44} />
        <div>
          <p className={styles.name}>
            {title} <SubscriptionStatusTag status={shownStatus(subscription)} />
          </p>
          <p className={styles.note}>
            {creator.username} · {status === 'trialing' ? texts.free : everyTerm(price, months)}
          </p>
          <p className={styles.note}>{nextOf(subscription)}</p>
          {subscription.retired && subscription.renews && (
            <p className={styles.note}>{isPaid(subscription) ? texts.retired : texts.retiredUnpaid}</p>
          )}
        </div>
      </div>
      <div className={styles.actions}>
        {needsCard(subscription) && (
          <Button
            size="sm"
            // A debt comes first; a missing card can wait until the renewal.
            variant={subscription.owed ? 'filled' : 'default'}
            aria-label={cardTexts.updateNamed(title)}
            onClick={() => onUpdateCard(subscription)}
          >
            {cardTexts.update}
          </Button>
        )}
        {canChangeTerm(subscription) && <ChangeTerm subscription={subscription} />}
        {canCancel && <Cancel subscription={subscription} />}
        {canResume && <Resume subscription={subscription} />}
      </div>
      {subscription.priceChange && (
        <PriceChange subscription={subscription} change={subscription.priceChange} />
      )}
    </li>
  )
}

/** Whether the present period is paid; else its charge failed, or is undecided. */
function isPaid({ expiration }: OwnSubscription): boolean {
  return new Date(expiration) > serverNow()
}

/** Whether a payment of the present period is undecided once it is past due, so that nothing else can be charged for it. */
function isProcessing({ status, renews, owed }: OwnSubscription): boolean {
  return status === 'past_due' && renews && owed === null
}

function shownStatus(subscription: OwnSubscription) {
  if (isProcessing(subscription)) return 'processing'
  const { status, renews, owed } = subscription
  return status === 'past_due' && !renews && owed === null ? 'ending' : status
}

/** Whether the next charge, or the one that is owed, needs another card. */
function needsCard({ status, renews, card, owed }: OwnSubscription): boolean {
  return owed !== null || (renews && status === 'active' && card === null)
}

/** Whether there is another term to choose, or one that was chosen to go back from. */
function canChangeTerm({ terms, months, next }: OwnSubscription): boolean {
  return terms.length > 1 || (terms.length === 1 && next !== null && next.months !== months)
}

function nextOf(subscription: OwnSubscription): string {
  const { status, expiration, endedAt, renews, card, next, owed, priceChange } = subscription
  const date = formatDate(expiration)
  if (endedAt !== null) return texts.endedOn(formatDate(endedAt))
  if (status === 'canceled') {
    const resumed = next ? ` ${texts.resumable(everyTerm(next.price, next.months))}` : ''
    return `${texts.accessUntil(date)}${resumed}`
  }
  if (status === 'trialing') return texts.freeUntil(date)
  if (!renews && priceChange) {
    const declined = priceChange.answer === 'declined'
    if (!isPaid(subscription)) return declined ? texts.endsNowAsDeclined : texts.endsNowUnlessAgreed
    return declined ? texts.endsAsDeclined(date) : texts.endsUnlessAgreed(date)
  }
  if (!renews) return texts.notRenewed(date)
  if (owed) {
    const access = accessUntil(new Date(expiration))
    const [withAccess, without] = card
      ? [texts.pastDue, texts.pastDueWithout]
      : [texts.owedWithoutCard, texts.owedWithoutCardOrAccess]
    return (access > serverNow() ? withAccess : without)(owed.price, formatDate(access))
  }
  // A renewal that is due and not paid yet: its charge is made, or reviewed.
  if (!isPaid(subscription)) return texts.processing
  if (card === null) return texts.noCard(date)
  return next
    ? texts.renewsOtherwise(date, everyTerm(next.price, next.months), card)
    : texts.renewsOn(date, card)
}

function ChangeTerm({ subscription }: { subscription: OwnSubscription }) {
  const [opening, setOpening] = useState(0)
  const [opened, setOpened] = useState(false)
  const open = () => {
    setOpening(opening + 1)
    setOpened(true)
  }
  return (
    <>
      <Button
        variant="default"
        size="sm"
        aria-label={texts.changeTermNamed(subscription.title)}
        onClick={open}
      >
        {texts.changeTerm}
      </Button>
      <TermDialog
        key={opening}
        subscription={subscription}
        opened={opened}
        onClose={() => setOpened(false)}
      />
    </>
  )
}

function Cancel({ subscription }: { subscription: OwnSubscription }) {
  const { _id, title, expiration } = subscription
  const [asking, setAsking] = useState(false)
  const cancel = useCancelSubscription()
  const date = formatDate(expiration)
  const confirm = async () => {
    const { status } = await cancel.mutateAsync(_id)
    toast.success(status === 'canceled' ? texts.canceled(date) : texts.canceledNow)
  }
  return (
    <>
      <Button
        variant="default"
        size="sm"
        aria-label={texts.cancelNamed(title)}
        onClick={() => setAsking(true)}
      >
        {texts.cancel}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.asked.title(title)}
        confirmLabel={texts.asked.confirm}
        cancelLabel={texts.asked.keep}
        onConfirm={confirm}
      >
        {isPaid(subscription) ? texts.asked.effect(date) : texts.asked.effectNow}
      </ConfirmDialog>
    </>
  )
}

function Resume({ subscription: { _id, title } }: { subscription: OwnSubscription }) {
  const resume = useResumeSubscription()
  return (
    <Button
      size="sm"
      aria-label={texts.resumeNamed(title)}
      loading={resume.isPending}
      onClick={() =>
        resume.mutate(_id, {
          onSuccess: (resumed) => toast.success(texts.resumed(nextOf(resumed))),
          onError: (error) => toast.failure(errorMessage(error)),
        })
      }
    >
      {texts.resume}
    </Button>
  )
}
