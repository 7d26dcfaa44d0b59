import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { DEFAULT_PRICE } from '../../../../contract/constants.ts'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { idempotencyKey } from '../../../lib/idempotency-key.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { MoneyInput } from '../../../ui/MoneyInput.tsx'
import { sellingErrors } from './errors.ts'

type CreateDialogProps = {
  kind: 'subscription' | 'bundle'
  opened: boolean
  onClose: () => void
  /** Makes it and answers its id. */
  onCreate: (values: { title: string; price: string; key: string }) => Promise<string>
  editPath: (id: string) => string
}

/** Title and price of something new to sell; then on to choosing what it holds. */
export function CreateDialog({ kind, opened, onClose, onCreate, editPath }: CreateDialogProps) {
  const [title, setTitle] = useState('')
  const [price, setPrice] = useState<string>(DEFAULT_PRICE)
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const key = useRef(idempotencyKey())
  const navigate = useNavigate()
  const errors = checked ? sellingErrors({ title, price }) : {}
  const told = failure instanceof ApiError ? failure.details : {}

  const submit = async () => {
    setChecked(true)
    if (busy || Object.keys(sellingErrors({ title, price })).length > 0) return
    setBusy(true)
    setFailure(null)
    try {
      navigate(editPath(await onCreate({ title, price, key: key.current })))
    } catch (error) {
      setFailure(error)
      // An answer ends this attempt; without one the same key finds what may have been made.
      if (error instanceof ApiError && error.status > 0) key.current = idempotencyKey()
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog opened={opened} onClose={onClose} title={`New ${kind}`} closable={!busy}>
      <Form onSubmit={() => void submit()}>
        <FormError>{failure ? errorMessage(failure) : null}</FormError>
        <TextField
          label="Title"
          value={title}
          onChange={setTitle}
          error={errors.title ?? told.title}
          required
        />
        <MoneyInput
          label={kind === 'subscription' ? 'Price per month' : 'Price'}
          value={price}
          onChange={setPrice}
          error={errors.price ?? told.price}
          required
        />
        <Button type="submit" loading={busy}>
          Create {kind}
        </Button>
      </Form>
    </Dialog>
  )
}
