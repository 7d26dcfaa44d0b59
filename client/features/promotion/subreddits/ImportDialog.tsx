import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { useImport } from './api.ts'
import { namesIn } from './names.ts'
import styles from './subreddits.module.css'
import { importTexts as texts } from './texts.ts'

/** How many of the words that are no name are told. */
const TOLD = 5

/** Imports subreddits by pasted names; what was pasted stays when that fails. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const send = useImport()
  const { names, wrong } = namesIn(typed)
  const submit = () => {
    if (send.isPending) return
    const told = wrong.length > 0 ? texts.wrong(wrong.slice(0, TOLD), wrong.length - TOLD) : null
    const refused = told ?? (names.length === 0 ? texts.none : null)
    setProblem(refused)
    if (refused !== null) return
    send.mutate(names, {
      onSuccess: ({ added }) => {
        toast.success(texts.done(added, names.length - added))
        setTyped('')
        onClose()
      },
    })
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title} closable={!send.isPending}>
      <Form onSubmit={submit}>
        <TextAreaField
          label={texts.label}
          description={texts.hint}
          minRows={6}
          value={typed}
          error={problem ?? undefined}
          onChange={(value) => {
            setTyped(value)
            setProblem(null)
          }}
        />
        {names.length > 0 && (
          <p role="status" className={styles.quiet}>
            {texts.found(names.length)}
          </p>
        )}
        <FormError>{send.error && errorMessage(send.error)}</FormError>
        <Button type="submit" loading={send.isPending} fullWidth>
          {texts.submit}
        </Button>
      </Form>
    </Dialog>
  )
}
