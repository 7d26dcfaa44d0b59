import { sharedCodeRoutes } from '../../../../contract/routes/profiles/shared-codes.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, type ContractFormState, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { PeopleField, type Picked } from '../../profiles/parts/people/PeopleField.tsx'
import { codeChanges, createSharedCode, type SharedCode } from './api.ts'
import { sharedCodesTexts as texts } from './texts.ts'

type SharedCodeDialogProps = {
  /** The code that is changed; null for a new one. */
  code: SharedCode | null
  opened: boolean
  onClose: () => void
}

/** Makes a shared code, or changes its title and who shares it. */
export function SharedCodeDialog({ code, opened, onClose }: SharedCodeDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={code ? texts.editTitle : texts.createTitle}>
      {code ? <EditForm code={code} onSaved={onClose} /> : <CreateForm onSaved={onClose} />}
    </Dialog>
  )
}

type Values = { title: string; participantIds: Picked[] }

const initialOf = (code: SharedCode | null, ownId: string): Values => ({
  title: code?.title ?? '',
  participantIds: code?.participants.filter(({ _id }) => _id !== ownId) ?? [],
})

const bodyOf = ({ title, participantIds }: Values, ownId: string) => ({
  title,
  participantIds: [ownId, ...participantIds.map(({ _id }) => _id)],
})

function CreateForm({ onSaved }: { onSaved: () => void }) {
  const { _id: ownId } = useCurrentUser()
  const create = useKeyed(createSharedCode)
  const form = useContractForm(sharedCodeRoutes.createSharedCode, {
    initial: initialOf(null, ownId),
    body: (values) => bodyOf(values, ownId),
    send: create,
    onSuccess: () => {
      toast.success(texts.saved)
      onSaved()
    },
    meta: codeChanges,
    lost: texts.lost,
  })
  return (
    <ContractForm form={form} label={texts.createTitle}>
      <Fields {...form} />
    </ContractForm>
  )
}

function EditForm({ code, onSaved }: { code: SharedCode; onSaved: () => void }) {
  const { _id: ownId } = useCurrentUser()
  const form = useContractForm(sharedCodeRoutes.editSharedCode, {
    initial: initialOf(code, ownId),
    body: (values) => ({
      sharedRefId: code._id,
      lastUpdateAt: code.lastUpdateAt,
      ...bodyOf(values, ownId),
    }),
    onSuccess: () => {
      toast.success(texts.saved)
      onSaved()
    },
    meta: codeChanges,
    lost: texts.lost,
  })
  return (
    <ContractForm form={form} label={texts.editTitle}>
      <Fields {...form} />
    </ContractForm>
  )
}

function Fields({ field, set, values, errorAt, error, pending }: ContractFormState<Values>) {
  return (
    <>
      <TextField
        label={texts.field}
        description={texts.fieldHint}
        autoComplete="off"
        required
        {...field('title')}
      />
      <PeopleField
        legend={texts.people}
        nobody={texts.nobody}
        value={values.participantIds}
        error={errorAt('participantIds')}
        onChange={(people) => set('participantIds', people)}
      />
      <FormError>{error}</FormError>
      <Button type="submit" loading={pending}>
        {texts.save}
      </Button>
    </>
  )
}
