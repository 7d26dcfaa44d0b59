import { useEffect, useRef } from 'react'
import { MAX_REPLY_LENGTH } from '../../../../contract/promotion.ts'
import { inboxRoutes } from '../../../../contract/routes/promotion/inbox.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { type SavedReply, savedReplyChanges } from './api.ts'
import styles from './inbox.module.css'
import { savedTexts as texts } from './texts.ts'

type SavedReplyFormProps = { reply: SavedReply; onClose: () => void }

/** Title and text of a saved reply, to be changed where it stands. */
export function SavedReplyForm({ reply, onClose }: SavedReplyFormProps) {
  const { _id, title, text } = reply
  const box = useRef<HTMLDivElement>(null)
  const form = useContractForm(inboxRoutes.saveReply, {
    initial: { title, text },
    body: (values) => ({ _id, ...values }),
    onSuccess: () => {
      toast.success(texts.changed)
      onClose()
    },
    meta: savedReplyChanges,
    lost: texts.lost,
  })
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box} className={styles.edited}>
      <ContractForm form={form} label={texts.editOf(title)}>
        <TextField label={texts.replyTitle} required autoComplete="off" {...form.field('title')} />
        <TextAreaField
          label={texts.replyText}
          required
          maxLength={MAX_REPLY_LENGTH}
          {...form.field('text')}
        />
        <FormError>{form.error}</FormError>
        <div className={styles.bar}>
          <Button type="submit" loading={form.pending}>
            {texts.saveChanges}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      </ContractForm>
    </div>
  )
}
