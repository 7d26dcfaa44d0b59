import { useState } from 'react'
import { scheduleRoutes } from '../../../../contract/routes/promotion/schedule.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { itemChanges, type TimelineItem } from './api.ts'
import { itemTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

/** Asks where a post is that its person put up, or that nobody was sure of. */
export function ConfirmPosted({ item }: { item: TimelineItem }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {item.state === 'waiting' && item.nsfw && <p className={styles.quiet}>{texts.markNsfw}</p>}
      <Button variant="default" size="sm" onClick={() => setOpen(true)}>
        {texts.confirm}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={texts.confirmTitle}>
        <LinkForm itemId={item._id} onSaved={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function LinkForm({ itemId, onSaved }: { itemId: string; onSaved: () => void }) {
  const form = useContractForm(scheduleRoutes.confirmTimelineItem, {
    initial: { link: '' },
    body: ({ link }) => ({ itemId, link }),
    onSuccess: () => {
      toast.success(texts.confirmed)
      onSaved()
    },
    meta: itemChanges,
    lost: null,
  })
  return (
    <ContractForm form={form} label={texts.confirmTitle}>
      <p>{texts.confirmLead}</p>
      <TextField
        label={texts.confirmField}
        required
        autoComplete="off"
        inputMode="url"
        {...form.field('link')}
      />
      <FormError>{form.error}</FormError>
      <div>
        <Button type="submit" loading={form.pending}>
          {texts.confirmSave}
        </Button>
      </div>
    </ContractForm>
  )
}
