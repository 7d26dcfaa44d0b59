import '@mantine/core/styles/Switch.css'
import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { ApiError, sentenceOf } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Card } from '../../../ui/Card.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FieldPair, Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { MoneyInput } from '../../../ui/MoneyInput.tsx'
import { Page } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.ts'
import { sellingErrors } from './errors.ts'
import { MediaPicker } from './MediaPicker.tsx'

export type Edited = { title: string; price: string; chatEnabled: boolean; mediaIds: string[] }

type EditorProps = {
  kind: 'subscription' | 'bundle'
  creatorId: string
  initial: Edited
  savedText: string
  onSave: (values: Edited) => Promise<unknown>
}

/** Title, price and media of something that is sold. What was typed stays when saving fails. */
export function Editor({ kind, creatorId, initial, savedText, onSave }: EditorProps) {
  const [values, setValues] = useState(initial)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const errors = sellingErrors(values)
  const told = failure instanceof ApiError ? failure.details : {}
  const change = (part: Partial<Edited>) => setValues((before) => ({ ...before, ...part }))

  const save = async () => {
    if (busy || Object.keys(errors).length > 0) return
    setBusy(true)
    setFailure(null)
    try {
      await onSave(values)
      toast.success(savedText)
    } catch (error) {
      setFailure(error)
      toast.failure(sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Page
      title={kind === 'subscription' ? 'Edit subscription' : 'Edit bundle'}
      lead={
        kind === 'subscription'
          ? 'Subscribers see everything selected here for as long as they pay. A new price is for new subscribers; the others keep theirs.'
          : 'Who buys the bundle keeps what it holds at that moment, whatever you change later.'
      }
      action={
        <LinkButton to={paths.premiumContent} variant="default">
          All premium content
        </LinkButton>
      }
    >
      <Card>
        <Form onSubmit={() => void save()}>
          <FormError>{failure ? sentenceOf(failure) : null}</FormError>
          <FieldPair>
            <TextField
              label="Title"
              value={values.title}
              onChange={(title) => change({ title })}
              error={errors.title ?? told.title}
              required
            />
            <MoneyInput
              label={kind === 'subscription' ? 'Price per month' : 'Price'}
              defaultValue={initial.price}
              onChange={(price) => change({ price })}
              error={errors.price ?? told.price}
              required
            />
          </FieldPair>
          {kind === 'subscription' && (
            <Switch
              label="Subscribers may write to you"
              checked={values.chatEnabled}
              onChange={(event) => change({ chatEnabled: event.currentTarget.checked })}
            />
          )}
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </Form>
      </Card>
      <MediaPicker
        kind={kind}
        creatorId={creatorId}
        selected={values.mediaIds}
        onChange={(mediaIds) => change({ mediaIds })}
      />
    </Page>
  )
}
