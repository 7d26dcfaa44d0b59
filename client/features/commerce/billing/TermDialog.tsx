import { useState } from 'react'
import { centsOf, formatMoney } from '../../../../contract/money.ts'
import { monthOfTermCents, type TermMonths } from '../../../../contract/subscriptions.ts'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { formatCount, formatDate } from '../../../ui/format.ts'
import { toast } from '../../../ui/toast.ts'
import type { OwnSubscription } from '../parts/subscriptions/api.ts'
import { useChangeTerm } from './api.ts'
import { billingTexts } from './texts.ts'

const texts = billingTexts.term

type TermDialogProps = { subscription: OwnSubscription; opened: boolean; onClose: () => void }

/** For how many months the next charge is, and all after it. */
export function TermDialog({ subscription, opened, onClose }: TermDialogProps) {
  const { _id: subscriptionId, title, months: own, next, terms, expiration } = subscription
  const [months, setMonths] = useState<TermMonths>(next?.months ?? own)
  // What was chosen may not be sold for that long any more; the own term always is.
  const chosen = [months, own].flatMap((wanted) => terms.filter((term) => term.months === wanted))[0]
  const change = useChangeTerm()
  const date = formatDate(expiration)
  const submit = () => {
    if (!chosen) return
    const done = () => {
      toast.success(chosen.months === own ? texts.kept : texts.changed(date))
      onClose()
    }
    change.mutate({ subscriptionId, ...chosen }, { onSuccess: done })
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title(title)} closable={!change.isPending}>
      <Form onSubmit={submit}>
        <FormError>{change.error && errorMessage(change.error)}</FormError>
        <ChoiceField
          label={texts.label}
          choices={terms.map((term) => ({
            value: String(term.months),
            label: texts.length(formatCount(term.months, 'month'), term.price),
            description: describe(term, own),
          }))}
          value={String(chosen?.months)}
          onChange={(value) => setMonths(Number(value) as TermMonths)}
        />
        <p>{texts.effect(date)}</p>
        <Button type="submit" loading={change.isPending}>
          {texts.save}
        </Button>
      </Form>
    </Dialog>
  )
}

function describe({ months, price }: { months: TermMonths; price: string }, own: TermMonths): string {
  const perMonth = texts.perMonth(formatMoney(monthOfTermCents(centsOf(price), months)))
  return months === own ? texts.current : perMonth
}
