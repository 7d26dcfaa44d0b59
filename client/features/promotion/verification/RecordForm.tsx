import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { verificationRoutes } from '../../../../contract/routes/promotion/verification.ts'
import { ApiError } from '../../../lib/api.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { dayOf } from '../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { changesOf } from '../parts/edited.ts'
import { confirmationLabel, statusLabel } from '../parts/label-texts.ts'
import { keepRecord, type OneRecord, recordChanges } from './api.ts'
import styles from './record.module.css'
import { type Confirmation, STATUSES } from './records.ts'
import { recordTexts as texts } from './texts.ts'

const CONFIRMATIONS = ['true', 'pending', 'false', 'hidden'] as const satisfies readonly Confirmation[]

/** Status, confirmation, notes, and reminder of one verification. */
export function RecordForm({ record, userId }: { record: OneRecord; userId: string | undefined }) {
  const client = useQueryClient()
  const form = useContractForm(verificationRoutes.updateVerification, {
    initial: {
      status: record.status,
      confirmed: record.confirmed,
      notes: record.notes,
      remindOn: record.remindOn ?? '',
    },
    body: ({ status, confirmed, notes, remindOn }, kept) => ({
      srName: record.name,
      ...(userId ? { userId } : {}),
      ...(status === record.status ? {} : { status }),
      ...changesOf({ confirmed, notes }, kept),
      ...(remindOn === kept.remindOn ? {} : { remindOn: remindOn || null }),
    }),
    onSuccess: (saved) => {
      keepRecord(client, userId, saved)
      toast.success(texts.updated)
    },
    isSame: (now, kept) =>
      now.status === record.status &&
      now.confirmed === kept.confirmed &&
      now.notes === kept.notes &&
      now.remindOn === kept.remindOn,
    meta: recordChanges,
    lost: texts.lost,
  })
  // Marked as verified beside the form: what else was typed stays.
  const follow = useEffectEvent(() => form.set('status', record.status))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows each change of the status.
  useEffect(() => follow(), [record.status])
  const confirmed = form.field('confirmed')
  const remindOn = form.field('remindOn')
  const { failure } = form
  const refused = failure instanceof ApiError && failure.status === 400 ? failure.message : null
  return (
    <ContractForm form={form}>
      <ChoiceField
        label={texts.status}
        choices={STATUSES.map((value) => ({ value, label: statusLabel[value] }))}
        {...form.field('status')}
      />
      <SelectField
        label={texts.confirmed}
        value={confirmed.value}
        choices={CONFIRMATIONS.map((value) => ({ value, label: confirmationLabel[value] }))}
        onChange={(value) => {
          const known = CONFIRMATIONS.find((one) => one === value)
          if (known) confirmed.onChange(known)
        }}
      />
      <TextAreaField label={texts.notes} description={texts.notesHint} {...form.field('notes')} />
      <div className={styles.reminder}>
        <TextInput
          type="date"
          label={texts.remindOn}
          description={texts.remindHint}
          min={tomorrow()}
          value={remindOn.value}
          error={remindOn.error}
          onChange={(event) => remindOn.onChange(event.currentTarget.value)}
        />
        {remindOn.value && (
          <Button variant="subtle" onClick={() => remindOn.onChange('')}>
            {texts.clearReminder}
          </Button>
        )}
      </div>
      <FormError>{refused === null ? form.error : texts.error(refused)}</FormError>
      <div>
        <Button type="submit" loading={form.pending}>
          {texts.save}
        </Button>
      </div>
    </ContractForm>
  )
}

function tomorrow(): string {
  const day = serverNow()
  day.setDate(day.getDate() + 1)
  return dayOf(day)
}
