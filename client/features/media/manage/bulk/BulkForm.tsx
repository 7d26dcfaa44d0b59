import type { ReactNode } from 'react'
import { libraryRoutes } from '../../../../../contract/routes/media/library.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { ContractForm, type ContractFormState, useContractForm } from '../../../../ui/forms/ContractForm.tsx'
import type { Media } from '../../api.ts'
import { type BulkChange, useBulkEdit } from '../api.ts'
import { itemCount } from '../words.ts'
import styles from './BulkForm.module.css'

/** What each of the bulk forms is given: the items, and whom to tell when they are changed. */
export type BulkProps = { items: readonly Media[]; onDone: (fresh: readonly Media[]) => void }

type BulkFormProps<Values> = BulkProps & {
  initial: Values
  /** What is sent; empty while nothing is to be changed. */
  changeOf: (values: Values) => BulkChange
  children: (form: ContractFormState<Values>) => ReactNode
}

/** A form that changes several items at once. What was entered stays when it fails. */
export function BulkForm<Values extends object>({
  items,
  onDone,
  initial,
  changeOf,
  children,
}: BulkFormProps<Values>) {
  const edit = useBulkEdit()
  const mediaIds = items.map(({ _id }) => _id)
  const form = useContractForm(libraryRoutes.bulkEditMedia, {
    initial,
    body: (values) => ({ mediaIds, ...changeOf(values) }),
    send: (_body, values) => edit.mutateAsync({ mediaIds, change: changeOf(values) }),
    onSuccess: ({ items: fresh }) => onDone(fresh),
    lost: null,
  })
  return (
    <ContractForm form={form}>
      {children(form)}
      <FormError>{form.error}</FormError>
      <Button
        className={styles.submit ?? ''}
        type="submit"
        loading={form.pending}
        disabled={Object.keys(changeOf(form.values)).length === 0}
      >
        Change {itemCount(items.length)}
      </Button>
    </ContractForm>
  )
}
