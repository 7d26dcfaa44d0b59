import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { z } from 'zod'
import { quarantineRoutes } from '../../../../../contract/routes/media/quarantine.ts'
import {
  blocksFiles,
  TAKEDOWN_GROUNDS,
  type TakedownGround,
  takedownReason,
} from '../../../../../contract/takedowns.ts'
import { paths } from '../../../../lib/paths.ts'
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
import { takedownChanges, takedownQuery } from './api.ts'
import { takedownTexts as texts } from './texts.ts'

const CHOICES = TAKEDOWN_GROUNDS.map((value) => ({ value, label: texts.grounds[value] }))

type TakedownDialogProps = { mediaId: string; opened: boolean; onClose: () => void; onDone?: () => void }

/** Takes an item down, or changes why it is: what its creator is told, and why for the audit log. */
export function TakedownDialog({ opened, onClose, ...form }: TakedownDialogProps) {
  const query = useQuery({ ...takedownQuery(form.mediaId), enabled: opened })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={query.data?.takedown ? texts.changeQuestion : texts.question}
    >
      {opened && query.isFetching && <SkeletonLines lines={6} />}
      {opened && !query.isFetching && (
        <Fetched query={query} waiting={<SkeletonLines lines={6} />} failed={texts.loadFailed}>
          {(found) => <TakedownForm {...form} {...found} onClose={onClose} />}
        </Fetched>
      )}
    </Dialog>
  )
}

type Found = z.output<typeof quarantineRoutes.takedown.output>
type TakedownFormProps = Omit<TakedownDialogProps, 'opened'> & Found

function TakedownForm({ mediaId, takedown, copies, onClose, onDone }: TakedownFormProps) {
  const form = useContractForm(quarantineRoutes.quarantineMedia, {
    initial: {
      ground: takedown?.ground ?? ('review' as TakedownGround),
      note: takedown?.note ?? '',
      blockFile: takedown?.blockFile ?? blocksFiles('review'),
      reason: '',
    },
    body: (values) => ({ ...values, mediaId, shown: takedown?.ground ?? null }),
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
      <Copies {...copies} />
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

/** Other items with the same file, which stay up: each opens beside the form. */
function Copies({ count, items }: Found['copies']) {
  if (count === 0) return null
  const more = count - items.length
  return (
    <div>
      <p>{texts.copies(count)}</p>
      <ul>
        {items.map(({ _id, title, username, isDown, isDeleted }) => (
          <li key={_id}>
            {isDeleted && !isDown ? (
              title || texts.untitled
            ) : (
              <Link to={paths.media(_id)} target="_blank">
                {title || texts.untitled}
              </Link>
            )}{' '}
            {texts.copyBy}{' '}
            <Link to={paths.profile(username)} target="_blank">
              @{username}
            </Link>
            {isDown ? ` · ${texts.isDown}` : isDeleted ? ` · ${texts.isDeleted}` : ''}
          </li>
        ))}
        {more > 0 && <li>{texts.moreCopies(more)}</li>}
      </ul>
    </div>
  )
}
