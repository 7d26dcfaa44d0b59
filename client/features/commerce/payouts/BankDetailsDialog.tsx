import { bankSchemeOf, wrongBankFields } from '../../../../contract/bank.ts'
import { COUNTRY_CODES } from '../../../../contract/countries.ts'
import { bankDetailsRoutes } from '../../../../contract/routes/commerce/bank-details.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { formatCountry } from '../../../ui/format-occasional.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { useReauthentication } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { payoutChanges, sendBankDetails } from './api.ts'
import { bankTexts as texts } from './texts.ts'

const COUNTRIES = COUNTRY_CODES.map((value) => ({ value, label: formatCountry(value) })).sort((one, other) =>
  one.label.localeCompare(other.label),
)

type BankDetailsDialogProps = { opened: boolean; onClose: () => void; onSaved: () => void }

/** Asks where a person is paid: what the country's banks need, and nothing of what is stored already. */
export function BankDetailsDialog({ opened, onClose, onSaved }: BankDetailsDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      {opened && (
        <BankDetailsForm
          onDone={() => {
            onClose()
            onSaved()
          }}
        />
      )}
    </Dialog>
  )
}

function BankDetailsForm({ onDone }: { onDone: () => void }) {
  const reauthenticate = useReauthentication()
  const form = useContractForm(bankDetailsRoutes.saveBankDetails, {
    initial: {
      ...{ accountHolder: '', country: 'US', iban: '' },
      ...{ routingNumber: '', swiftCode: '', accountNumber: '' },
    },
    check: wrongBankFields,
    send: (body) => reauthenticate(() => sendBankDetails(body)),
    meta: { invalidates: payoutChanges },
    onSuccess: () => {
      toast.success(texts.saved)
      onDone()
    },
    lost: null,
  })
  const scheme = bankSchemeOf(form.values.country)
  return (
    <ContractForm form={form}>
      <p>{texts.about}</p>
      <SelectField
        label={texts.country}
        choices={COUNTRIES}
        value={form.values.country}
        onChange={(country) => form.set('country', country)}
      />
      <TextField
        label={texts.holder}
        description={texts.holderHint}
        autoComplete="name"
        required
        {...form.field('accountHolder')}
      />
      {scheme === 'iban' && (
        <TextField label={texts.iban} autoComplete="off" required {...form.field('iban')} />
      )}
      {scheme === 'us' && (
        <TextField
          label={texts.routing}
          description={texts.routingHint}
          inputMode="numeric"
          autoComplete="off"
          required
          {...form.field('routingNumber')}
        />
      )}
      {scheme === 'swift' && (
        <TextField label={texts.swift} autoComplete="off" required {...form.field('swiftCode')} />
      )}
      {scheme !== 'iban' && (
        <TextField label={texts.number} autoComplete="off" required {...form.field('accountNumber')} />
      )}
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {texts.save}
      </Button>
    </ContractForm>
  )
}
