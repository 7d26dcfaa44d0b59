import { IconCircleCheck, IconHourglass } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { parseMoney } from '../../../../contract/money.ts'
import { isTip } from '../../../../contract/orders.ts'
import { paths } from '../../../lib/paths.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useSession } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Price } from '../../../ui/Money.tsx'
import { ConfirmEmail } from '../../identity/parts/ConfirmEmail.tsx'
import type { Buyable } from '../parts/buyable.ts'
import { OfferPicture } from '../parts/offers/OfferPicture.tsx'
import { tipTexts } from '../tips/texts.ts'
import { renewalDate } from './card-frame/card.ts'
import { PaymentForm } from './PaymentForm.tsx'
import styles from './PurchaseDialog.module.css'
import { TermChoice } from './TermChoice.tsx'
import { purchaseTexts } from './texts.ts'
import { type PaymentState, usePayment } from './use-payment.ts'

type PurchaseDialogProps = {
  item: Buyable
  opened: boolean
  onClose: () => void
  /** Once it stands on the page. */
  onShown?: (() => void) | undefined
  /** It isn’t sold, or at other terms, so what the page shows of it is out of date. */
  onRefused?: ((item: Buyable) => void) | undefined
}

/** Buys one subscription, bundle or single item by card (docs/product.md, Pages 'Purchase dialog'). */
export function PurchaseDialog({ item: wanted, opened, onClose, onShown, onRefused }: PurchaseDialogProps) {
  const { currentUser } = useSession()
  const navigate = useNavigate()
  const unconfirmed = currentUser?.verifiedEmail === 'verified' ? null : currentUser
  const { item, paysUntil, lent, state, choose, pay, cancel, askAgain } = usePayment(wanted, {
    mayPay: unconfirmed === null,
    onRefused,
  })
  const close = () => {
    cancel()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={titleOf(item, state)} closable={state.step !== 'paying'}>
      {onShown && <Standing onShown={onShown} />}
      <Summary
        item={item}
        charged={state.step === 'done' || state.step === 'undecided' ? state.purchase.amount : null}
        paid={state.step === 'done'}
        owned={isOwned(state)}
        paysUntil={paysUntil}
        renewsAt={state.step === 'done' ? state.purchase.renewsAt : paysUntil}
      />
      {item.kind === 'subscription' && !item.trial && isForm(state) && (
        <TermChoice item={item} busy={state.step === 'paying'} onChoose={choose} />
      )}
      {lent && isForm(state) && <p className={styles.lent}>{purchaseTexts.lent[lent]}</p>}
      {unconfirmed && (
        <div className={styles.confirm}>
          <p className={styles.headline}>{purchaseTexts.confirmTitle}</p>
          <ConfirmEmail person={unconfirmed} />
        </div>
      )}
      {!unconfirmed && isForm(state) && (
        <PaymentForm
          item={item}
          looking={state.step === 'looking'}
          busy={state.step === 'checking' || state.step === 'paying'}
          error={state.step === 'form' ? state.error : null}
          onPay={pay}
        />
      )}
      {state.step === 'unanswered' && (
        <Outcome role="alert">
          <IconHourglass size={32} stroke={1.5} aria-hidden />
          <p className={styles.headline}>{purchaseTexts.unansweredTitle}</p>
          <p>{purchaseTexts.unanswered(state.error)}</p>
          <Button onClick={() => void askAgain()}>{purchaseTexts.askAgain}</Button>
        </Outcome>
      )}
      {state.step === 'refused' && (
        <Outcome role="alert">
          <p className={styles.headline}>{state.reason ?? purchaseTexts.gone(item.kind)}</p>
          {state.uncharged && <p>{purchaseTexts.notCharged}</p>}
          <Button onClick={onClose}>{purchaseTexts.close}</Button>
        </Outcome>
      )}
      {state.step === 'undecided' && (
        <Outcome role="status">
          <IconHourglass size={32} stroke={1.5} aria-hidden />
          <p className={styles.headline}>{purchaseTexts.undecided}</p>
          <p>{state.purchase.message}</p>
          <Button variant="default" onClick={onClose}>
            {purchaseTexts.close}
          </Button>
        </Outcome>
      )}
      {state.step === 'done' && (
        <Outcome role="status">
          <IconCircleCheck size={32} stroke={1.5} aria-hidden className={styles.good} />
          <p className={styles.headline}>{purchaseTexts.done}</p>
          <p>{outcomeOf(item)}</p>
          <div className={styles.next}>
            {!staysHere(item) && (
              <Button
                onClick={() => {
                  onClose()
                  void navigate(item.kind === 'single' ? paths.media(item.itemId) : paths.yourContent)
                }}
              >
                {purchaseTexts.seeInside}
              </Button>
            )}
            <Button variant={staysHere(item) ? 'filled' : 'default'} onClick={onClose}>
              {purchaseTexts.finish}
            </Button>
          </div>
        </Outcome>
      )}
    </Dialog>
  )
}

/** Tells that what it stands in is on the page: the code of a dialog comes later than what asks for it. */
function Standing({ onShown }: { onShown: () => void }) {
  const tell = useEffectEvent(onShown)
  useEffect(() => tell(), [])
  return null
}

/** How it ended, with what to do next: Enter does the first of it. */
function Outcome({ role, children }: { role: 'alert' | 'status'; children: ReactNode }) {
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => outcome.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={outcome} className={styles.outcome} role={role}>
      {children}
    </div>
  )
}

function isForm({ step }: PaymentState): boolean {
  return step === 'looking' || step === 'form' || step === 'checking' || step === 'paying'
}

/** It isn't sold to who has it. */
const isOwned = (state: PaymentState) => state.step === 'refused' && state.owned

/** The purchased content is on this page, or is nothing to look at. */
const staysHere = ({ kind }: Buyable) => kind === 'message' || kind === 'custom' || isTip(kind)

function outcomeOf({ kind, creatorUsername }: Buyable): string {
  if (isTip(kind)) return purchaseTexts.tipped(creatorUsername)
  if (kind === 'custom') return purchaseTexts.customPaid(creatorUsername)
  return kind === 'subscription' ? purchaseTexts.unlocked : purchaseTexts.yours
}

function titleOf({ kind }: Buyable, state: PaymentState): string {
  const { step } = state
  if (step === 'undecided') return purchaseTexts.undecidedTitle
  if (kind === 'subscription' && isOwned(state)) return purchaseTexts.subscribed
  if (step === 'done') {
    if (isTip(kind)) return purchaseTexts.tipSent
    if (kind === 'custom') return purchaseTexts.requestPaid
    return kind === 'subscription' ? purchaseTexts.subscribed : purchaseTexts.bought
  }
  return kind === 'subscription'
    ? purchaseTexts.subscribe
    : kind === 'bundle'
      ? purchaseTexts.buyBundle
      : isTip(kind)
        ? purchaseTexts.tip
        : purchaseTexts.buy
}

/**
 * The full price, and what it renews at and when, before the button; then the amount that is charged or was paid, which is
 * another one where that is an earlier attempt at other terms.
 */
function Summary({
  item,
  charged,
  paid,
  owned,
  paysUntil,
  renewsAt,
}: {
  item: Buyable
  charged: string | null
  paid: boolean
  /** They have it already, so that nothing is to be said of a payment. */
  owned: boolean
  paysUntil: string | null
  /** As the server says it; null before a subscription begins. */
  renewsAt: string | null
}) {
  const isAsShown = charged === null || parseMoney(charged) === parseMoney(item.price)
  const title = isTip(item.kind) ? tipTexts.of(charged ?? item.price) : item.title
  return (
    <div className={styles.summary} data-cover={item.cover ? true : undefined}>
      {item.cover && (
        <div className={styles.cover}>
          <OfferPicture media={item.cover} />
        </div>
      )}
      <div className={styles.what}>
        <p className={styles.title}>{title || purchaseTexts.untitled}</p>
        {/* The title of a custom request says whom it is to. */}
        {item.kind !== 'custom' && (
          <p className={styles.by}>
            {isTip(item.kind)
              ? purchaseTexts.to(item.creatorUsername)
              : purchaseTexts.by(item.creatorUsername, item.mediaCount)}
          </p>
        )}
      </div>
      <p className={styles.price}>
        <Price
          value={isAsShown ? item.price : charged}
          instead={isAsShown ? item.reduction?.fullPrice : undefined}
        />
        {paid && <span className={styles.by}> {purchaseTexts.paid}</span>}
        {!paid && isAsShown && item.kind === 'subscription' && (
          <span className={styles.by}>
            {' '}
            {item.trial ? purchaseTexts.forDays(item.trial.days) : purchaseTexts.forTerm(item.months ?? 1)}
          </span>
        )}
      </p>
      {item.reduction && isAsShown && (
        <p className={styles.renewal}>{purchaseTexts.reduced(item.reduction.owned, item.itemCount ?? 0)}</p>
      )}
      {item.owned !== undefined && !paid && (
        <p className={styles.renewal}>{purchaseTexts.notReduced(item.owned, item.itemCount ?? 0)}</p>
      )}
      {item.deliveryDays !== undefined && (
        <p className={styles.renewal}>{purchaseTexts.deliveredWithin(item.deliveryDays)}</p>
      )}
      {item.description && <p className={styles.description}>{item.description}</p>}
      {item.kind === 'subscription' && isAsShown && !owned && (
        <p className={styles.renewal}>
          {purchaseTexts.renews(
            item.trial?.renewalPrice ?? item.price,
            renewsAt
              ? renewalDate(new Date(renewsAt), { days: 0 })
              : renewalDate(
                  serverNow(),
                  item.trial ? { days: item.trial.days } : { months: item.months ?? 1 },
                ),
            item.months ?? 1,
          )}
          {paysUntil && !paid && ` ${purchaseTexts.paysOwed}`}
        </p>
      )}
    </div>
  )
}
