import { useState } from 'react'
import { scheduleRoutes } from '../../../../contract/routes/promotion/schedule.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { formatExactDateTime } from '../../../ui/format-occasional.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { useZonedTime } from '../../../ui/zoned-time.ts'
import { changesOf } from '../parts/edited.ts'
import { FlairField } from '../schedule/FlairField.tsx'
import { NsfwField } from '../schedule/NsfwField.tsx'
import { PosterField } from '../schedule/PosterField.tsx'
import { TimeField } from '../schedule/TimeField.tsx'
import { timeTexts } from '../schedule/texts.ts'
import { itemChanges, type TimelineItem } from './api.ts'
import { editTexts as texts } from './texts.ts'

type ItemDialogProps = { item: TimelineItem; opened: boolean; onClose: () => void }

/** Words, marks and time of what is scheduled, or failed. */
export function ItemDialog({ item, opened, onClose }: ItemDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title(item.subreddit)}>
      <EditForm item={item} onSaved={onClose} />
    </Dialog>
  )
}

type When = 'keep' | 'later' | 'endOfQueue'

function EditForm({ item, onSaved }: { item: TimelineItem; onSaved: () => void }) {
  const zone = useZonedTime()
  // A time that has come is none to keep.
  const [isAhead] = useState(
    () => Date.parse(item.postTime) > serverNow().getTime() && item.state === 'scheduled',
  )
  // Its account was disconnected; no other posts it unasked.
  const isLeft = item.accountId === null && !item.byHand
  const form = useContractForm(scheduleRoutes.editTimelineItem, {
    initial: {
      title: item.title,
      comment: item.comment,
      nsfw: item.nsfw,
      flair: { id: item.flairId ?? '', text: item.flairText ?? '' },
      poster: { accountId: item.accountId, byHand: item.byHand },
      when: (isAhead ? 'keep' : 'endOfQueue') as When,
      postTime: zone.toWall(new Date(item.postTime)),
      isSecond: zone.isSecond(new Date(item.postTime)),
    },
    body: ({ title, comment, nsfw, flair, poster, when, postTime, isSecond }, kept) => ({
      itemId: item._id,
      ...changesOf({ title, comment, nsfw }, kept),
      ...(flair.id === kept.flair.id && flair.text === kept.flair.text
        ? {}
        : { flairId: flair.id || null, flairText: flair.text || null }),
      ...(poster.byHand === kept.poster.byHand ? {} : { byHand: poster.byHand }),
      ...(poster.accountId === kept.poster.accountId ? {} : { accountId: poster.accountId ?? undefined }),
      ...(when === 'keep'
        ? {}
        : {
            postTime:
              when === 'endOfQueue'
                ? 'endOfQueue'
                : (zone.toMoment(postTime, isSecond)?.toISOString() ?? postTime),
          }),
    }),
    check: ({ when, postTime, poster }) => ({
      ...(when === 'later' && !zone.toMoment(postTime) ? { postTime: texts.chooseTime } : {}),
      ...(isLeft && !poster.accountId && !poster.byHand ? { poster: texts.choosePoster } : {}),
    }),
    onSuccess: ({ postTime: time }, { when: chosen }) => {
      toast.success(chosen === 'keep' ? texts.saved : texts.savedFor(formatExactDateTime(time)))
      onSaved()
    },
    meta: itemChanges,
    lost: texts.lost,
  })
  const { when, postTime, isSecond, poster } = form.values
  const choices: { value: When; label: string }[] = [
    ...(isAhead ? [{ value: 'keep' as const, label: formatExactDateTime(item.postTime) }] : []),
    { value: 'endOfQueue', label: texts.endOfQueue },
    { value: 'later', label: timeTexts.label },
  ]
  return (
    <ContractForm form={form} label={texts.title(item.subreddit)}>
      <TextField label={texts.postTitle} required autoComplete="off" {...form.field('title')} />
      <TextAreaField label={texts.comment} description={texts.commentHint} {...form.field('comment')} />
      <FlairField
        subreddit={item.subreddit}
        value={form.values.flair}
        onChange={(value) => form.set('flair', value)}
      />
      <NsfwField value={form.values.nsfw} onChange={(value) => form.set('nsfw', value)} />
      <ChoiceField
        label={texts.when}
        choices={choices}
        value={when}
        onChange={(value) => form.set('when', value)}
      />
      {when === 'later' && (
        <TimeField
          zone={zone}
          wall={postTime}
          isSecond={isSecond}
          error={form.errorAt('postTime')}
          onChange={(wall, isSecond) => {
            form.set('postTime', wall)
            form.set('isSecond', isSecond)
          }}
        />
      )}
      <PosterField
        value={poster}
        onChange={(value) => form.set('poster', value)}
        asks={isLeft}
        error={form.errorAt('poster')}
      />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {texts.save}
      </Button>
    </ContractForm>
  )
}
