import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorMessage } from '../../../../lib/api.ts'
import { Form } from '../../../../ui/Form.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import type { Media } from '../../api.ts'
import { type BulkChange, useBulkEdit } from '../api.ts'
import { itemCount } from '../words.ts'
import styles from './BulkForm.module.css'

/** What each of the bulk forms is given: the items, and whom to tell when they are changed. */
export type BulkProps = { items: readonly Media[]; onDone: (fresh: readonly Media[]) => void }

type BulkFormProps = BulkProps & {
  /** What is sent; null while nothing is to be changed. */
  change: BulkChange | null
  /** Checks what was entered; false keeps it from being sent. */
  onSubmit?: () => boolean
  children: ReactNode
}

/** A form that changes several items at once. What was entered stays when it fails. */
export function BulkForm({ items, change, onSubmit, onDone, children }: BulkFormProps) {
  const edit = useBulkEdit()
  const submit = () => {
    if (onSubmit?.() === false || !change || edit.isPending) return
    edit.mutate(
      { mediaIds: items.map(({ _id }) => _id), change },
      { onSuccess: ({ items: fresh }) => onDone(fresh) },
    )
  }
  return (
    <Form onSubmit={submit}>
      {children}
      <FormError>{edit.isError ? errorMessage(edit.error) : null}</FormError>
      <Button
        className={styles.submit ?? ''}
        type="submit"
        loading={edit.isPending}
        disabled={!change && !onSubmit}
      >
        Change {itemCount(items.length)}
      </Button>
    </Form>
  )
}
