import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { quarantineRoutes } from '../../../../../contract/routes/media/quarantine.ts'
import {
  blocksFiles,
  TAKEDOWN_GROUNDS,
  type TakedownGround,
  takedownReason,
} from '../../../../../contract/takedowns.ts'
import { call } from '../../../../lib/api.ts'
import { routes } from '../../../../lib/routes.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Fetched } from '../../../../ui/Fetched.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { SelectField } from '../../../../ui/fields/SelectField.tsx'
import { ContractForm, useContractForm } from '../../../../ui/forms/ContractForm.tsx'
import { ReasonField } from '../../../../ui/ReasonField.tsx'
import { SkeletonLines } from '../../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { toast } from '../../../../ui/toast.ts'
import { takedownChanges } from './changes.ts'
import { takedownTexts as texts } from './texts.ts'

const CHOICES = TAKEDOWN_GROUNDS.map((value) => ({ value, label: texts.grounds[value] }))

type TakedownDialogProps = { mediaId: string; opened: boolean; onClose: () => void; onDone?: () => void }

/** Takes an item down, or changes why it is: what its creator is told, and why for the audit log. */
export function TakedownDialog({ opened, onClose, ...form }: TakedownDialogProps) {
  const query = useQuery({
    queryKey: ['takedown', form.mediaId],
    queryFn: ({ signal }) => call(routes.takedown, { query: { mediaId: form.mediaId } }, { signal }),
    enabled: opened,
    // Asked at each opening, as another operator may have decided, and not while somebody types.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={query.data?.takedown ? texts.changeQuestion : texts.question}
    >
      {opened && query.isFetching && <SkeletonLines lines={6} />}
      {opened && !query.isFetching && (
        <Fetched query={query} waiting={<SkeletonLines lines={6} />} failed={texts.loadFailed}>
          {({ takedown }) => <TakedownForm {...form} takedown={takedown} onClose={onClose} />}
        </Fetched>
      )}
    </Dialog>
  )
}

type Takedown = z.output<typeof quarantineRoutes.takedown.output>['takedown']
type TakedownFormProps = Omit<TakedownDialogProps, 'opened'> & { takedown: Takedown }

function TakedownForm({ mediaId, takedown, onClose, onDone }: TakedownFormProps) {
  const form = useContractForm(quarantineRoutes.quarantineMedia, {
    initial: {
      ground: takedown?.ground ?? ('review' as TakedownGround),
      note: takedown?.note ?? '',
      blockFile: takedown?.blockFile ?? blocksFiles('review'),
      reason: '',
    },
    body: (values) => ({ ...values, mediaId }),
    meta: takedownChanges,
    onSuccess: () => {
      toast.success(takedown ? texts.changed : texts.done)
      onDone?.()
      onClose()
    },
    lost: takedown ? texts.changeLost : texts.lost,
  })
  const { ground, blockFile } = form.values
  return (
    <ContractForm form={form}>
      <p>{takedown ? texts.changeEffect : texts.effect}</p>
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
        {takedown ? texts.change : texts.takeDown}
      </Button>
    </ContractForm>
  )
}
