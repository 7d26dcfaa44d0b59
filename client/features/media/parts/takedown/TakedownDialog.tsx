import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { quarantineRoutes } from '../../../../../contract/routes/media/quarantine.ts'
import {
  blocksFiles,
  TAKEDOWN_GROUNDS,
  type TakedownGround,
  takedownReason,
} from '../../../../../contract/takedowns.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { SelectField } from '../../../../ui/fields/SelectField.tsx'
import { ContractForm, useContractForm } from '../../../../ui/forms/ContractForm.tsx'
import { ReasonField } from '../../../../ui/ReasonField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { toast } from '../../../../ui/toast.ts'
import { takedownChanges } from './changes.ts'
import { takedownTexts as texts } from './texts.ts'

const CHOICES = TAKEDOWN_GROUNDS.map((value) => ({ value, label: texts.grounds[value] }))

type TakedownDialogProps = { mediaId: string; opened: boolean; onClose: () => void; onDone?: () => void }

/** Takes an item down: what its creator is told, and why for the audit log. */
export function TakedownDialog({ opened, onClose, ...form }: TakedownDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.question}>
      {opened && <TakedownForm {...form} onClose={onClose} />}
    </Dialog>
  )
}

function TakedownForm({ mediaId, onClose, onDone }: Omit<TakedownDialogProps, 'opened'>) {
  const form = useContractForm(quarantineRoutes.quarantineMedia, {
    initial: { ground: 'review' as TakedownGround, note: '', blockFile: blocksFiles('review'), reason: '' },
    body: (values) => ({ ...values, mediaId }),
    meta: takedownChanges,
    onSuccess: () => {
      toast.success(texts.done)
      onDone?.()
      onClose()
    },
    lost: texts.lost,
  })
  const { ground, blockFile } = form.values
  return (
    <ContractForm form={form}>
      <p>{texts.effect}</p>
      <SelectField
        label={texts.ground}
        description={takedownReason(ground, '')}
        choices={CHOICES}
        value={ground}
        onChange={(chosen) => {
          form.set('ground', chosen as TakedownGround)
          form.set('blockFile', blocksFiles(chosen as TakedownGround))
        }}
      />
      <TextAreaField
        label={texts.note}
        description={texts.noteHint}
        minRows={2}
        maxRows={6}
        {...form.field('note')}
      />
      <Checkbox
        label={texts.block}
        description={texts.blockHint}
        checked={blockFile}
        onChange={({ currentTarget }) => form.set('blockFile', currentTarget.checked)}
      />
      <ReasonField label={texts.reason} {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <Button type="submit" color="red" loading={form.pending}>
        {texts.takeDown}
      </Button>
    </ContractForm>
  )
}
