import { centsOf, formatMoney } from '../../../../contract/money.ts'
import { renewalRoutes } from '../../../../contract/routes/commerce/renewals.ts'
import { monthOfTermCents, type TermMonths } from '../../../../contract/subscriptions.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { formatCount, formatDate } from '../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import type { OwnSubscription } from '../parts/subscriptions/api.ts'
import { termChanges } from './api.ts'
import { billingTexts } from './texts.ts'

const texts = billingTexts.term

type TermDialogProps = { subscription: OwnSubscription; opened: boolean; onClose: () => void }

/** For how many months the next charge is, and all after it. */
export function TermDialog({ subscription, opened, onClose }: TermDialogProps) {
  const { _id: subscriptionId, title, months: own, next, terms, expiration } = subscription
  // The chosen term may not be sold anymore; the fan's own always is.
  const chosenOf = (months: TermMonths) =>
    [months, own].flatMap((wanted) => terms.filter((term) => term.months === wanted))[0]
  const date = formatDate(expiration)
  const form = useContractForm(renewalRoutes.changeTerm, {
    initial: { months: next?.months ?? own },
    body: ({ months }) => ({ subscriptionId, ...chosenOf(months) }),
    onSuccess: (_answer, { months }) => {
      toast.success(chosenOf(months)?.months === own ? texts.kept : texts.changed(date))
      onClose()
    },
    meta: termChanges,
    lost: null,
  })
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title(title)} closable={!form.pending}>
      <ContractForm form={form}>
        <FormError>{form.error}</FormError>
        <ChoiceField
          label={texts.label}
          choices={terms.map((term) => ({
            value: String(term.months),
            label: texts.length(formatCount(term.months, 'month'), term.price),
            description: describe(term, own),
          }))}
          value={String(chosenOf(form.values.months)?.months)}
          onChange={(value) => form.set('months', Number(value) as TermMonths)}
        />
        <p>{texts.effect(date)}</p>
        <Button type="submit" loading={form.pending}>
          {texts.save}
        </Button>
      </ContractForm>
    </Dialog>
  )
}

function describe({ months, price }: { months: TermMonths; price: string }, own: TermMonths): string {
  const perMonth = texts.perMonth(formatMoney(monthOfTermCents(centsOf(price), months)))
  return months === own ? texts.current : perMonth
}
