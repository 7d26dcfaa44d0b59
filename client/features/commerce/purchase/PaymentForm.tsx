import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { MAX_CARDS } from '../../../../contract/constants.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { cardsQuery, type StoredCard } from '../cards/api.ts'
import { storedCardTexts } from '../cards/texts.ts'
import type { Buyable } from '../parts/buyable.ts'
import { CardFrame, type CardFrameHandle } from './card-frame/CardFrame.tsx'
import styles from './PurchaseDialog.module.css'
import { purchaseTexts } from './texts.ts'
import type { PaidBy } from './use-payment.ts'

type PaymentFormProps = {
  item: Buyable
  /** Whether an earlier payment is undecided is not known yet: one can type, but not pay. */
  looking: boolean
  busy: boolean
  error: string | null
  onPay: (paidBy: () => Promise<PaidBy>) => Promise<void>
}

/** Pays by the card that was used last, by another stored one, or by one that is typed here. */
export function PaymentForm(props: PaymentFormProps) {
  const cards = useQuery(cardsQuery)
  // Without an answer one can still type a card.
  if (cards.isPending) return <SkeletonLines lines={3} />
  return <Payment {...props} cards={cards.data ?? []} />
}

const nameOf = ({ brand, lastFour }: StoredCard) => storedCardTexts.name(brand, lastFour)

function Payment({ item, looking, busy, error, onPay, cards }: PaymentFormProps & { cards: StoredCard[] }) {
  const frame = useRef<CardFrameHandle>(null)
  const [agreed, setAgreed] = useState(false)
  /** How often it was tried without the terms. */
  const [missed, setMissed] = useState(0)
  const terms = useRef<HTMLInputElement>(null)
  const [saveCard, setSaveCard] = useState(false)
  /** The chosen card: null for one that is typed, undefined before a choice. */
  const [chosen, setChosen] = useState<string | null>()
  const usable = cards.filter(({ expiry }) => expiry !== 'expired')
  const expired = usable.length === 0 ? cards[0] : undefined
  const card = chosen === null ? undefined : (usable.find(({ _id }) => _id === chosen) ?? usable[0])
  const isFull = cards.length >= MAX_CARDS
  const waits = useRef(false)
  const pay = useRef<HTMLButtonElement>(null)
  // The field that was disabled during the payment has lost the focus to the page.
  useEffect(() => {
    if (waits.current && !busy) {
      if (frame.current) frame.current.focus()
      else if (document.activeElement === document.body) pay.current?.focus()
    }
    waits.current = busy
  }, [busy])
  useEffect(() => {
    if (missed === 0) return
    terms.current?.focus()
    // A field that is wrong takes it from there.
    frame.current?.check()
  }, [missed])
  const submit = () => {
    const fields = frame.current
    if (busy || looking) return
    if (!agreed) return setMissed(missed + 1)
    if (card) void onPay(async () => ({ cardId: card._id }))
    else if (fields) void onPay(async () => ({ ...(await fields.token()), saveCard: saveCard && !isFull }))
  }
  return (
    <Form onSubmit={submit}>
      <FormError>{error}</FormError>
      {expired && <p className={styles.note}>{purchaseTexts.expired(nameOf(expired))}</p>}
      {!card && <CardFrame ref={frame} disabled={busy} />}
      {!card && item.kind === 'subscription' && (
        <p className={styles.note}>{purchaseTexts.savedForRenewals}</p>
      )}
      {!card && item.kind !== 'subscription' && isFull && (
        <p className={styles.note}>{purchaseTexts.fullOfCards}</p>
      )}
      {!card && item.kind !== 'subscription' && !isFull && (
        <Checkbox
          checked={saveCard}
          onChange={(event) => setSaveCard(event.currentTarget.checked)}
          disabled={busy}
          label={purchaseTexts.saveCard}
        />
      )}
      <Checkbox
        ref={terms}
        checked={agreed}
        onChange={(event) => setAgreed(event.currentTarget.checked)}
        disabled={busy}
        aria-invalid={missed > 0 && !agreed}
        error={missed > 0 && !agreed ? purchaseTexts.agreeFirst : null}
        label={<Terms />}
      />
      <Button
        ref={pay}
        type="submit"
        size="md"
        loading={busy || looking}
        leftSection={<IconLock size={16} aria-hidden />}
      >
        {labelOf(item, card)}
      </Button>
      {usable.length > 0 && !busy && (
        <Others cards={usable.filter((other) => other !== card)} typed={!card} onChoose={setChosen} />
      )}
      {!card && <p className={styles.safe}>{purchaseTexts.safe}</p>}
    </Form>
  )
}

function labelOf({ kind, price }: Buyable, card: StoredCard | undefined): string {
  if (card) return purchaseTexts.payWith(nameOf(card), price)
  return kind === 'subscription' ? purchaseTexts.subscribeFor(price) : purchaseTexts.pay(price)
}

function Terms() {
  return (
    <>
      {purchaseTexts.agree}{' '}
      <Link to="/terms-and-conditions" target="_blank">
        {purchaseTexts.terms}
      </Link>{' '}
      {purchaseTexts.and}{' '}
      <Link to="/privacy" target="_blank">
        {purchaseTexts.privacy}
      </Link>
    </>
  )
}

type OthersProps = { cards: StoredCard[]; typed: boolean; onChoose: (cardId: string | null) => void }

/** The other ways to pay. */
function Others({ cards, typed, onChoose }: OthersProps) {
  return (
    <div className={styles.others}>
      {cards.map((card) => (
        <Button key={card._id} variant="subtle" size="sm" onClick={() => onChoose(card._id)}>
          {purchaseTexts.payByStored(nameOf(card))}
        </Button>
      ))}
      {!typed && (
        <Button variant="subtle" size="sm" onClick={() => onChoose(null)}>
          {purchaseTexts.useAnother}
        </Button>
      )}
    </div>
  )
}
