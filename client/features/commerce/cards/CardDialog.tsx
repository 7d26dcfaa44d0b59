import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { idempotencyKey } from '../../../lib/idempotency-key.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { dialogTexts } from '../../../ui/texts.ts'
import { toast } from '../../../ui/toast.ts'
import { CardFrame, type CardFrameHandle } from '../purchase/card-frame/CardFrame.tsx'
import { CardRefused } from '../purchase/card-frame/card.ts'
import { purchaseTexts } from '../purchase/texts.ts'
import { type Retried, useAddCard } from './api.ts'
import styles from './cards.module.css'
import { isChanged, pastDueQuery, shownOf, together, totalOf } from './past-due.ts'
import { storedCardTexts as texts } from './texts.ts'

type CardDialogProps = {
  title: string
  /** The card whose place the new one takes. */
  replaces?: string | undefined
  /** Said in place of the form once nothing is past due anymore, where the card was to pay that. */
  settled?: string | undefined
  opened: boolean
  onClose: () => void
}

/** Stores a card, and says before what is charged to it. */
export function CardDialog({ title, replaces, settled, opened, onClose }: CardDialogProps) {
  const pastDue = useQuery({ ...pastDueQuery, enabled: opened, staleTime: 0 })
  const frame = useRef<CardFrameHandle>(null)
  const add = useAddCard()
  /** The request that wasn't answered: sending the same again finds its outcome. */
  const sent = useRef<Parameters<typeof add.mutateAsync>[0] | null>(null)
  const [step, setStep] = useState<'form' | 'checking' | 'saving' | 'undecided'>('form')
  const busy = step === 'checking' || step === 'saving'
  const rounds = useRef(0)
  const [error, setError] = useState<string | null>(null)
  const [wasOwed, setWasOwed] = useState(false)
  const isOwed = (pastDue.data?.length ?? 0) > 0
  if (opened && isOwed && !wasOwed) setWasOwed(true)

  const close = () => {
    rounds.current += 1
    setStep('form')
    sent.current = null
    setError(null)
    setWasOwed(false)
    onClose()
  }
  const submit = async (shown: Parameters<typeof shownOf>[0]) => {
    if (busy || !frame.current) return
    const round = ++rounds.current
    setStep('checking')
    setError(null)
    try {
      const card = sent.current ?? {
        key: idempotencyKey(),
        ...(await frame.current.token()),
        replaces,
        pastDue: shownOf(shown),
      }
      if (round !== rounds.current) return
      sent.current = card
      setStep('saving')
      const retried = await add.mutateAsync(sent.current)
      tell(retried)
      close()
    } catch (failure) {
      if (round !== rounds.current) return
      if (isChanged(failure)) await pastDue.refetch()
      const lost = isLost(failure)
      if (!lost) sent.current = null
      setError(failure instanceof CardRefused ? failure.message || null : errorMessage(failure))
      setStep(lost ? 'undecided' : 'form')
    }
  }
  const startOver = () => {
    sent.current = null
    setError(null)
    setStep('form')
    frame.current?.focus()
  }
  if (settled && wasOwed && !isOwed && step === 'form')
    return (
      <Dialog opened={opened} onClose={close} title={title}>
        <div className={styles.settled}>
          <p role="alert">{settled}</p>
          <Button onClick={close}>{dialogTexts.close}</Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog opened={opened} onClose={close} title={title} closable={step !== 'saving'}>
      <Fetched query={pastDue} waiting={<SkeletonLines lines={3} />} failed={texts.failed}>
        {(owed) => (
          <Form onSubmit={() => void submit(owed)}>
            <div className={styles.effects}>
              {owed.length === 0 && <p>{texts.validated}</p>}
              {owed.map(({ _id, price, title: named }) => (
                <p key={_id}>{texts.chargedNow(price, named)}</p>
              ))}
            </div>
            <FormError>{error}</FormError>
            <CardFrame ref={frame} disabled={step !== 'form'} />
            {together(owed) && <p>{together(owed)}</p>}
            <Button type="submit" loading={busy} leftSection={<IconLock size={16} aria-hidden />}>
              {step === 'undecided' ? texts.retry : saveText(owed)}
            </Button>
            {step === 'undecided' && (
              <Button variant="subtle" size="sm" onClick={startOver}>
                {purchaseTexts.useAnother}
              </Button>
            )}
            <p className={styles.safe}>{purchaseTexts.safe}</p>
          </Form>
        )}
      </Fetched>
    </Dialog>
  )
}

const saveText = (owed: { price: string }[]) =>
  owed.length === 0 ? texts.save : texts.saveAndPay(totalOf(owed))

/** Whether nobody knows what became of it. */
function isLost(failure: unknown): boolean {
  if (!(failure instanceof ApiError)) return false
  return failure.status === 0 || failure.status >= 500 || failure.code === 'request_in_flight'
}

/** Says what was done with a card, and what became of what was past due. */
export function tell({ renewed, stillPastDue }: Retried, done: string = texts.saved): void {
  if (stillPastDue > 0) toast.failure(texts.stillPastDue(done, stillPastDue))
  else toast.success(renewed > 0 ? texts.renewed(done, renewed) : done)
}
