import '@mantine/core/styles/Switch.css'
import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Card } from '../../../ui/Card.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FieldPair, Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatContents, formatNumber } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { MoneyInput } from '../../../ui/MoneyInput.tsx'
import { Page } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.ts'
import { UnsavedChanges } from '../../../ui/UnsavedChanges.tsx'
import type { Media } from '../../media/api.ts'
import type { Turned } from './choosing.ts'
import styles from './Editor.module.css'
import { sellingErrors } from './errors.ts'
import { type Held, withItems } from './held.ts'
import { MediaPicker } from './MediaPicker.tsx'

export type Edited = { title: string; price: string; chatEnabled: boolean; mediaIds: string[] }

type EditorProps = {
  kind: 'subscription' | 'bundle'
  creatorId: string
  initial: Edited
  /** What it holds before anything is changed. */
  contents: Held
  savedText: string
  onSave: (values: Edited) => Promise<unknown>
}

/** Title, price and media of something that is sold. What was typed stays when saving fails. */
export function Editor({ kind, creatorId, initial, contents, savedText, onSave }: EditorProps) {
  const [values, setValues] = useState(initial)
  const [saved, setSaved] = useState(initial)
  const [held, setHeld] = useState(contents)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const errors = sellingErrors(values)
  const told = failure instanceof ApiError ? failure.details : {}
  const unsaved = !same(values, saved)
  const change = (part: Partial<Edited>) => setValues((before) => ({ ...before, ...part }))
  const turn = ({ items, on }: Turned<Media>) => {
    const ids = new Set(items.map(({ _id }) => _id))
    const others = values.mediaIds.filter((id) => !ids.has(id))
    change({ mediaIds: on ? [...others, ...ids] : others })
    setHeld(withItems(held, items, on ? 1 : -1))
  }

  const save = async () => {
    if (busy || Object.keys(errors).length > 0) return
    setBusy(true)
    setFailure(null)
    try {
      await onSave(values)
      setSaved(values)
      toast.success(savedText)
    } catch (error) {
      setFailure(error)
      toast.failure(errorMessage(error))
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
      <Form onSubmit={() => void save()}>
        <Card>
          <div className={styles.fields}>
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
                value={values.price}
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
          </div>
        </Card>
        <MediaPicker kind={kind} creatorId={creatorId} selected={values.mediaIds} onTurn={turn} />
        <div className={styles.bar}>
          <FormError>{failure ? (told.mediaIds ?? errorMessage(failure)) : null}</FormError>
          <div className={styles.line}>
            <p className={styles.held} role="status">
              <strong>{formatNumber(values.mediaIds.length)} selected</strong>
              <span className={styles.counts}>{formatContents(held) ?? 'Nothing inside yet'}</span>
            </p>
            <p className={styles.state} data-unsaved={unsaved || undefined}>
              {unsaved ? 'Not saved yet' : 'Saved'}
            </p>
            <Button type="submit" loading={busy}>
              Save
            </Button>
          </div>
        </div>
      </Form>
      <UnsavedChanges
        lost={unsaved ? `What you changed in this ${kind} is not saved and would be lost.` : null}
      />
    </Page>
  )
}

/** The same title, price and media; the order of media counts. */
function same(one: Edited, other: Edited): boolean {
  return (
    one.title === other.title &&
    one.price === other.price &&
    one.chatEnabled === other.chatEnabled &&
    one.mediaIds.length === other.mediaIds.length &&
    one.mediaIds.every((id, index) => id === other.mediaIds[index])
  )
}
