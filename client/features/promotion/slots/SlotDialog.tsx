import { slotRoutes } from '../../../../contract/routes/promotion/slots.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { Toggles } from '../parts/Toggles.tsx'
import { dayName, WEEK } from '../parts/week.ts'
import { type Poster, PosterField } from '../schedule/PosterField.tsx'
import { type Slot, slotChanges } from './api.ts'
import { slotsTexts, slotTexts as texts } from './texts.ts'

type SlotDialogProps = {
  /** The slot that is changed; null for a new one. */
  slot: Slot | null
  opened: boolean
  onClose: () => void
}

/** Adds a slot or changes one. */
export function SlotDialog({ slot, opened, onClose }: SlotDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={slot ? texts.editTitle : texts.addTitle}>
      <SlotForm slot={slot} onSaved={onClose} />
    </Dialog>
  )
}

const USUAL = { days: WEEK, time: '18:00', subreddit: null, accountId: null, byHand: false }

function SlotForm({ slot, onSaved }: { slot: Slot | null; onSaved: () => void }) {
  const { days, time, subreddit, accountId, byHand } = slot ?? USUAL
  const form = useContractForm(slotRoutes.saveSlot, {
    initial: {
      days: [...days],
      time,
      subreddit: subreddit ?? '',
      poster: { accountId, byHand } as Poster,
    },
    body: ({ poster, ...rest }) => ({
      ...rest,
      ...poster,
      ...(slot ? { slotId: slot._id } : {}),
      subreddit: rest.subreddit.trim() || null,
    }),
    onSuccess: ({ scheduled, problem }) => {
      if (problem === null) toast.success(slotsTexts.saved(scheduled))
      else toast.note(`${slotsTexts.saved(scheduled)} ${problem}`)
      onSaved()
    },
    meta: slotChanges,
    lost: slot ? texts.lost : texts.lostNew,
  })
  return (
    <ContractForm form={form} label={slot ? texts.editTitle : texts.addTitle}>
      {slot && <p>{texts.editHint}</p>}
      <Toggles
        legend={texts.days}
        numbers={WEEK}
        chosen={form.values.days}
        nameOf={dayName}
        labelOf={(day) => dayName(day, 'short')}
        error={form.errorAt('days')}
        onChange={(next) => form.set('days', next)}
      />
      <TextInput
        type="time"
        label={texts.time}
        value={form.values.time}
        error={form.errorAt('time')}
        onChange={(event) => form.set('time', event.currentTarget.value)}
      />
      <TextField
        label={texts.subreddit}
        description={texts.subredditHint}
        autoComplete="off"
        {...form.field('subreddit')}
      />
      <PosterField value={form.values.poster} onChange={(poster) => form.set('poster', poster)} />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {texts.save}
      </Button>
    </ContractForm>
  )
}
