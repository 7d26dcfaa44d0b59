import { useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { RequestTerms } from './api.ts'
import styles from './custom-requests.module.css'
import { requestTexts as texts } from './texts.ts'

const AcceptDialog = lazyPart(() => import('./AnswerDialogs.tsx').then((module) => module.AcceptDialog))
const DeclineDialog = lazyPart(() => import('./AnswerDialogs.tsx').then((module) => module.DeclineDialog))
const DeleteDialog = lazyPart(() => import('./AnswerDialogs.tsx').then((module) => module.DeleteDialog))
const DeliverDialog = lazyPart(() => import('./DeliverDialog.tsx').then((module) => module.DeliverDialog))

type RequestActionsProps = {
  request: RequestTerms
  me: string
  /** Pays what the creator asks; null where they sell this person nothing. */
  onPay: (() => void) | null
}

/** This person's possible actions on a request now. */
export function RequestActions({ request, me, onPay }: RequestActionsProps) {
  const [asking, setAsking] = useState<'accept' | 'decline' | 'deliver' | 'delete' | null>(null)
  const { _id: requestId, state, price } = request
  const open = state === 'requested' || state === 'accepted'
  const close = () => setAsking(null)
  const buttons =
    me === request.userId
      ? [
          state === 'accepted' && price && onPay && (
            <Button key="pay" size="sm" onClick={onPay}>
              {texts.pay(price)}
            </Button>
          ),
          (open || state === 'declined') && (
            <Button key="delete" size="sm" variant="default" onClick={() => setAsking('delete')}>
              {texts.delete}
            </Button>
          ),
        ]
      : [
          open && (
            <Button
              key="accept"
              size="sm"
              variant={state === 'requested' ? 'filled' : 'default'}
              onClick={() => setAsking('accept')}
            >
              {state === 'requested' ? texts.accept : texts.changePrice}
            </Button>
          ),
          open && (
            <Button key="decline" size="sm" variant="default" onClick={() => setAsking('decline')}>
              {texts.decline}
            </Button>
          ),
          state === 'paid' && request.deliverBy !== null && (
            <Button key="deliver" size="sm" onClick={() => setAsking('deliver')}>
              {texts.deliver}
            </Button>
          ),
        ]
  if (!buttons.some(Boolean)) return null
  return (
    <div className={styles.actions}>
      {buttons}
      {asking === 'accept' && <AcceptDialog request={request} onClose={close} />}
      {asking === 'decline' && <DeclineDialog requestId={requestId} onClose={close} />}
      {asking === 'delete' && <DeleteDialog requestId={requestId} onClose={close} />}
      {asking === 'deliver' && <DeliverDialog requestId={requestId} onClose={close} />}
    </div>
  )
}
