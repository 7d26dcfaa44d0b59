import { messageRoutes } from '../../../../contract/routes/messaging/messages.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { reportingTexts as texts } from '../occasional-texts.ts'

type ReportDialogProps = { messageId: string; opened: boolean; onClose: () => void }

/** Tells the operator of a message. */
export default function ReportDialog({ messageId, opened, onClose }: ReportDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <ReportForm messageId={messageId} onSent={onClose} />
    </Dialog>
  )
}

function ReportForm({ messageId, onSent }: { messageId: string; onSent: () => void }) {
  const form = useContractForm(messageRoutes.reportMessage, {
    initial: { reason: '' },
    body: ({ reason }) => ({ messageId, reason }),
    onSuccess: () => {
      toast.success(texts.reported)
      onSent()
    },
    lost: texts.lost,
  })
  return (
    <ContractForm form={form}>
      <p>{texts.effect}</p>
      <TextAreaField label={texts.reason} required minRows={2} maxRows={6} {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending} fullWidth>
        {texts.send}
      </Button>
    </ContractForm>
  )
}
