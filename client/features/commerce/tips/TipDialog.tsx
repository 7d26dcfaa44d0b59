import { useRef, useState } from 'react'
import { MAX_TIP_CENTS, MIN_TIP_CENTS } from '../../../../contract/constants.ts'
import { formatMoney, parseMoney } from '../../../../contract/money.ts'
import { Button } from '../../../ui/core/Button.tsx'
import DialogWindow from '../../../ui/DialogWindow.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { Form } from '../../../ui/Form.tsx'
import { MoneyInput } from '../../../ui/money/MoneyInput.tsx'
import type { Buyable, TipReceiver } from '../parts/buyable.ts'
import { tipTexts as texts } from './texts.ts'

const AMOUNTS = ['$5', '$10', '$20', '$50'] as const
const OTHER = 'other'
const CHOICES = [
  ...AMOUNTS.map((value) => ({ value, label: value })),
  { value: OTHER, label: texts.other },
] as const

const LIMITS = texts.limits(formatMoney(MIN_TIP_CENTS), formatMoney(MAX_TIP_CENTS))

type TipDialogProps = {
  receiver: TipReceiver
  busy: boolean
  onBuy: (tip: Buyable) => void
  onClose: () => void
}

/** Chooses how much a creator or the operator is tipped; the purchase dialog charges it. */
export default function TipDialog({ receiver, busy, onBuy, onClose }: TipDialogProps) {
  const [choice, setChoice] = useState<(typeof CHOICES)[number]['value']>('$10')
  const [typed, setTyped] = useState('')
  const amount = choice === OTHER ? typed : choice
  const cents = parseMoney(amount) ?? 0
  const right = cents >= MIN_TIP_CENTS && cents <= MAX_TIP_CENTS
  const [checked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submit = () => {
    if (busy) return
    setChecked(true)
    if (right) onBuy(tipOf(receiver, amount))
    else form.current?.querySelector<HTMLElement>('[inputmode]')?.focus()
  }
  return (
    <DialogWindow opened onClose={onClose} title={texts.sendTo(receiver.firstName || receiver.username)}>
      <Form ref={form} onSubmit={submit}>
        <FilterButtons label={texts.amount} choices={CHOICES} value={choice} onChange={setChoice} fullWidth />
        {choice === OTHER && (
          <MoneyInput
            label={texts.otherAmount}
            value={typed}
            onChange={setTyped}
            error={checked && !right ? LIMITS : undefined}
          />
        )}
        <Button type="submit" loading={busy}>
          {right ? texts.next(amount) : texts.send}
        </Button>
      </Form>
    </DialogWindow>
  )
}

/** Money for a creator, or the operator, as what the purchase dialog sells. */
function tipOf(
  { kind = 'tip', _id: itemId, username: creatorUsername }: TipReceiver,
  price: string,
): Buyable {
  return { kind, itemId, title: texts.of(price), price, creatorUsername }
}
