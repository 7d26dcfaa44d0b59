import { type ReactNode, useState } from 'react'
import { libraryRoutes } from '../../../../../contract/routes/media/library.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { ContractForm, type ContractFormState, useContractForm } from '../../../../ui/forms/ContractForm.tsx'
import { type BulkChange, batchesOf, type SelectedMedia, useBulkEdit } from '../api.ts'
import { texts } from '../texts.ts'
import styles from './BulkForm.module.css'

/** The input of each bulk form: the items, and the callback after they were changed. */
export type BulkProps = {
  items: readonly SelectedMedia[]
  /** Some of them are changed, as they are now; others may still follow or fail. */
  onChanged: (fresh: readonly SelectedMedia[]) => void
  /** All of them are. */
  onDone: () => void
}

type BulkFormProps<Values> = BulkProps & {
  initial: Values
  /** The changes to send; empty while nothing is to be changed. */
  changeOf: (values: Values) => BulkChange
  children: (form: ContractFormState<Values>) => ReactNode
}

/** A form that changes several items at once. What was entered stays when it fails. */
export function BulkForm<Values extends object>({
  items,
  onChanged,
  onDone,
  initial,
  changeOf,
  children,
}: BulkFormProps<Values>) {
  const edit = useBulkEdit()
  const [first = [], ...others] = batchesOf(items.map(({ _id }) => _id))
  const [changed, setChanged] = useState(0)
  const form = useContractForm(libraryRoutes.bulkEditMedia, {
    initial,
    body: (values) => ({ mediaIds: first, ...changeOf(values) }),
    async send(_body, values) {
      let count = 0
      setChanged(count)
      for (const mediaIds of [first, ...others]) {
        const answer = await edit.mutateAsync({ mediaIds, change: changeOf(values) })
        onChanged(answer.items)
        count += answer.items.length
        setChanged(count)
      }
    },
    onSuccess: onDone,
    lost: texts.lost,
  })
  return (
    <ContractForm form={form}>
      {children(form)}
      <FormError>
        {form.error && changed > 0 ? `${form.error} ${texts.changedBefore(changed)}` : form.error}
      </FormError>
      <Button
        className={styles.submit ?? ''}
        type="submit"
        loading={form.pending}
        disabled={Object.keys(changeOf(form.values)).length === 0}
      >
        {texts.change(items.length)}
      </Button>
    </ContractForm>
  )
}
