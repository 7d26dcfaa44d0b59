import { verificationRoutes } from '../../../../contract/routes/promotion/verification.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { addRecord, recordChanges } from './api.ts'
import styles from './board.module.css'
import { boardTexts as texts } from './texts.ts'

const EMPTY = { srName: '' }

/** Adds a subreddit to the board by its name. One that is there already stays in its column. */
export function AddSubreddit() {
  const form = useContractForm(verificationRoutes.updateVerification, {
    initial: EMPTY,
    afterSaved: () => ({ saved: EMPTY, values: EMPTY }),
    send: ({ srName }) => addRecord(srName),
    onSuccess: ({ name, before }) =>
      toast.success(before === null ? texts.added(name) : texts.known(name, texts.columns[before])),
    meta: recordChanges,
    lost: null,
  })
  return (
    <ContractForm form={form} label={texts.addForm} className={styles.adding}>
      <TextField label={texts.addLabel} prefix="r/" autoComplete="off" {...form.field('srName')} />
      <Button type="submit" variant="default" loading={form.pending}>
        {texts.add}
      </Button>
      <div className={styles.addingError}>
        <FormError>{form.error}</FormError>
      </div>
    </ContractForm>
  )
}
