import type { ComponentProps } from 'react'
import { subscriberRoutes } from '../../../../contract/routes/commerce/subscribers.ts'
import { EXTENSION_MONTHS } from '../../../../contract/subscriptions.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ContractForm, type ContractFormState, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { extendSubscription, giftChanges, giveFreeDays, type Subscriber } from './api.ts'
import { giftTexts as texts } from './texts.ts'

export type Plan = { _id: string; title: string }

type GiftFormProps = {
  person: { _id: string; username: string }
  /** The creator's plans that can be given; the first one unless another is chosen. */
  plans: readonly Plan[]
  /** The creator for whom an operator gives, with a reason; null when it is the creator who gives. */
  forCreator: string | null
  onDone: () => void
}

const MONTHS = EXTENSION_MONTHS.map((count) => ({ value: String(count), label: texts.month(count) }))

/** Gives a fan free days: a trial, or more days of one. */
export function DaysForm({ person, plans, forCreator, onDone }: GiftFormProps) {
  const give = useKeyed(giveFreeDays)
  const form = useContractForm(subscriberRoutes.giveFreeDays, {
    initial: { subscriptionId: plans[0]?._id ?? '', days: '7', reason: '' },
    body: ({ subscriptionId, days, reason }) => ({
      subscriberId: person._id,
      subscriptionId,
      days: days.trim() === '' ? Number.NaN : Number(days),
      ...(forCreator ? { creatorId: forCreator } : {}),
      ...(reason.trim() ? { reason } : {}),
    }),
    send: give,
    onSuccess: (given) => tell(person.username, given, onDone),
    meta: { invalidates: giftChanges },
    lost: texts.lost,
  })
  return (
    <ContractForm form={form}>
      <PlanField plans={plans} {...form.field('subscriptionId')} />
      <TextField
        label={texts.days}
        description={texts.daysHint}
        inputMode="numeric"
        required
        {...form.field('days')}
      />
      <End {...form} reason={form.field('reason')} asksWhy={forCreator !== null} submit={texts.giveDays} />
    </ContractForm>
  )
}

/** Extends a fan's subscription by free months. */
export function MonthsForm({ person, plans, forCreator, onDone }: GiftFormProps) {
  const extend = useKeyed(extendSubscription)
  const form = useContractForm(subscriberRoutes.extendSubscription, {
    initial: { subscriptionId: plans[0]?._id ?? '', months: '1', reason: '' },
    body: ({ subscriptionId, months, reason }) => ({
      subscriberId: person._id,
      subscriptionId,
      months: Number(months),
      ...(reason.trim() ? { reason } : {}),
    }),
    send: extend,
    onSuccess: (given) => tell(person.username, given, onDone),
    meta: { invalidates: giftChanges },
    lost: texts.lost,
  })
  return (
    <ContractForm form={form}>
      <PlanField plans={plans} {...form.field('subscriptionId')} />
      <SelectField label={texts.months} choices={MONTHS} {...form.field('months')} />
      <p>{texts.monthsHint}</p>
      <End {...form} reason={form.field('reason')} asksWhy={forCreator !== null} submit={texts.extend} />
    </ContractForm>
  )
}

function tell(username: string, { expiration }: Subscriber, onDone: () => void): void {
  toast.success(texts.done(username, formatDate(expiration)))
  onDone()
}

type PlanFieldProps = {
  plans: readonly Plan[]
  value: string
  onChange: (id: string) => void
  error: string | undefined
}

/** Which subscription; one alone is only named. */
function PlanField({ plans, ...field }: PlanFieldProps) {
  const choices = plans.map(({ _id, title }) => ({ value: _id, label: title }))
  if (plans[0] && plans.length === 1) return <p>{texts.onlyPlan(plans[0].title)}</p>
  return <SelectField label={texts.subscription} choices={choices} {...field} />
}

type EndProps = Pick<ContractFormState<object>, 'error' | 'pending'> & {
  reason: Omit<ComponentProps<typeof TextAreaField>, 'label'>
  asksWhy: boolean
  submit: string
}

function End({ error, pending, reason, asksWhy, submit }: EndProps) {
  return (
    <>
      {asksWhy && (
        <TextAreaField label={texts.reason} description={texts.reasonHint} minRows={2} {...reason} />
      )}
      <FormError>{error}</FormError>
      <Button type="submit" loading={pending}>
        {submit}
      </Button>
    </>
  )
}
