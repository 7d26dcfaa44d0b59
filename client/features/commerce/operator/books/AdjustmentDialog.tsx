import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { adjustmentRoutes } from '../../../../../contract/routes/commerce/adjustments.ts'
import { ApiError } from '../../../../lib/api.ts'
import { useKeyed } from '../../../../lib/idempotency-key.ts'
import { serverNow } from '../../../../lib/server-clock.ts'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../../ui/core/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Fold } from '../../../../ui/Fold.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { TextField } from '../../../../ui/fields/Field.tsx'
import { SelectField } from '../../../../ui/fields/SelectField.tsx'
import { dayOf, withCents } from '../../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../../ui/forms/ContractForm.tsx'
import { MoneyInput } from '../../../../ui/money/MoneyInput.tsx'
import { ReasonField } from '../../../../ui/ReasonField.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useReauthentication } from '../../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { moneyChanges } from '../api.ts'
import styles from '../operator.module.css'
import { type Account, type Adjustment, type NewAdjustment, sendAdjustment } from './api.ts'
import { accountTexts, adjustmentTexts as texts } from './texts.ts'

const CHOICES = Object.entries(accountTexts).map(([value, label]) => ({ value, label }))

/** Enters an outside document in the books; needs a `ReauthenticationProvider` above it. */
export function AdjustmentDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.add}>
      {opened && <AdjustmentForm onDone={onClose} />}
    </Dialog>
  )
}

function AdjustmentForm({ onDone }: { onDone: () => void }) {
  const reauthenticate = useReauthentication()
  const send = useKeyed(sendAdjustment)
  const [alone, setAlone] = useState<NewAdjustment | null>(null)
  const entered = ({ status }: Pick<Adjustment, 'status'>) => {
    toast.success(status === 'posted' ? texts.posted : texts.waits)
    onDone()
  }
  const { mutateAsync: post } = useMutation({
    mutationFn: (body: NewAdjustment) => reauthenticate(() => send({ ...body, alone: true })),
    onSuccess: entered,
    meta: { invalidates: moneyChanges },
  })
  const form = useContractForm(adjustmentRoutes.proposeAdjustment, {
    initial: {
      from: 'bank' as Account,
      to: 'processor_fees' as Account,
      ...{ amount: '', reference: '', date: '', reason: '' },
    },
    send: (body) =>
      reauthenticate(() => send(body)).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'adjustment_alone') setAlone(body)
        throw error
      }),
    meta: { invalidates: moneyChanges },
    onSuccess: entered,
    lost: texts.lost,
  })
  const { from, to } = form.values
  return (
    <>
      <ContractForm form={form}>
        <p>{texts.about}</p>
        <Fold title={texts.examples}>
          <ul className={styles.examples}>
            {texts.usual.map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        </Fold>
        <SelectField
          label={texts.from}
          choices={CHOICES}
          value={from}
          onChange={(account) => {
            // Never from an account to itself.
            if (account === to) form.set('to', from)
            form.set('from', account as Account)
          }}
        />
        <SelectField
          label={texts.to}
          choices={CHOICES.filter(({ value }) => value !== from)}
          value={to}
          onChange={(account) => form.set('to', account as Account)}
        />
        <MoneyInput label={texts.amount} required {...form.field('amount')} />
        <TextField
          label={texts.reference}
          description={texts.referenceHint}
          required
          {...form.field('reference')}
        />
        <TextField label={texts.date} type="date" max={dayOf(serverNow())} required {...form.field('date')} />
        <ReasonField {...form.field('reason')} />
        <FormError>{form.error}</FormError>
        <Button type="submit" loading={form.pending}>
          {texts.enter}
        </Button>
      </ContractForm>
      {alone && (
        <ConfirmDialog
          opened
          onClose={() => setAlone(null)}
          title={texts.aloneTitle}
          confirmLabel={texts.aloneConfirm}
          onConfirm={() => post(alone)}
        >
          <p>{texts.alone(withCents(alone.amount), alone.from, alone.to)}</p>
          <p>{texts.aloneEffect}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
