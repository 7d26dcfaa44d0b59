import { IconLock, IconPhoto, IconPhotoPlus, IconPhotoSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { MAX_ATTACHMENTS } from '../../../../contract/constants.ts'
import { formatMoney, parseMoney } from '../../../../contract/money.ts'
import { massMessageRoutes } from '../../../../contract/routes/messaging/mass-messages.ts'
import { isSendTime, WRONG_SEND_TIME } from '../../../../contract/send-time.ts'
import { paths } from '../../../lib/paths.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { useZonedTime } from '../../../ui/zoned-time.ts'
import { useAttachmentUploads } from '../../media/parts/attachments/attachment-uploads.ts'
import { ACCEPT } from '../../media/parts/attachments/files.ts'
import { TrayPanel } from '../conversation/TrayPanel.tsx'
import { emptyTray, type Tray, trayOf } from '../conversation/writing.ts'
import { fanListsQuery } from '../fan-lists/api.ts'
import { readDraft, watchDraft, writeDraft } from '../outbox/unsent.ts'
import { composerTexts } from '../texts.ts'
import { type Audience, audienceQuery, type MassMessage, massChanges } from './api.ts'
import { ListChoice, useIsDeleted } from './ListChoice.tsx'
import styles from './mass-messages.module.css'
import { saveOnce } from './save-once.ts'
import { massTexts, composeTexts as texts } from './texts.ts'

const LibraryPicker = lazyPart(() =>
  import('../conversation/LibraryPicker.tsx').then((module) => module.default),
)

/** Under what a message that is not sent yet is kept: its text and media, the time that it is set for, whom it is for. */
const DRAFT = 'everybody'
const DRAFT_TIME = 'everybody, time'
const DRAFT_AIM = 'everybody, aim'
const AUDIENCES = ['followers', 'subscribers', 'expired', 'list'] as const satisfies readonly Audience[]

type Aim = { audience: Audience; listId: string; excludedListId: string }

const aimOf = ({ audience, list, excludedList }: MassMessage): Aim => ({
  audience,
  listId: list?._id ?? '',
  excludedListId: excludedList?._id ?? '',
})

/** Whom an unsent message is for. */
function keptAim(personId: string): Partial<Aim> {
  return JSON.parse(readDraft(personId, DRAFT_AIM) || '{}')
}

/** What is wrong with the time that the message is set for, or null. */
function wrongTime(moment: Date | null): string | null {
  if (!moment) return texts.chooseTime
  return isSendTime(moment, serverNow()) ? null : WRONG_SEND_TIME
}

/** Writes a mass message, or changes one that was sent to nobody; what is written is kept until it is sent. */
export function ComposeForm({ edited }: { edited: MassMessage | null }) {
  const me = useCurrentUser()
  const navigate = useNavigate()
  const zone = useZonedTime()
  const { uploads, all, maxBytes } = useAttachmentUploads()
  const [tray, setTray] = useState<Tray>(() =>
    edited ? { ...emptyTray, items: edited.attachments, price: edited.price ?? '' } : trayOf(DRAFT).read(),
  )
  const [keptTime] = useState(() => (edited ? '' : readDraft(me._id, DRAFT_TIME)))
  const [aimBefore] = useState<Partial<Aim>>(() => (edited ? aimOf(edited) : keptAim(me._id)))
  const isDeleted = useIsDeleted()
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // Any other edited message, one that failed to send, is saved as a new one.
  const scheduled = edited?.status === 'scheduled' ? edited : null
  useEffect(() => {
    if (!edited) trayOf(DRAFT).write(tray)
  }, [edited, tray])
  const files = all.filter((file) => tray.uploadKeys.includes(file.key))
  const mediaIds = [...tray.items.map(({ _id }) => _id), ...files.flatMap(({ mediaId }) => mediaId ?? [])]
  const price = mediaIds.length > 0 && tray.price.trim() !== '' ? tray.price : null

  const form = useContractForm(massMessageRoutes.saveMassMessage, {
    initial: {
      content: edited?.content ?? readDraft(me._id, DRAFT),
      audience: 'followers' as Audience,
      listId: '',
      excludedListId: '',
      ...aimBefore,
      when: scheduled || keptTime ? ('later' as const) : ('now' as 'now' | 'later'),
      sendAt: scheduled ? zone.toWall(new Date(scheduled.sendAt)) : keptTime,
      price: '',
    },
    body: ({ content, audience, listId, excludedListId, when, sendAt }) => ({
      content,
      audience,
      mediaIds,
      ...(edited ? { massMessageId: edited._id } : {}),
      ...(audience === 'list' && listId ? { listId } : {}),
      ...(excludedListId ? { excludedListId } : {}),
      ...(price ? { price } : {}),
      ...(when === 'later' ? { sendAt: zone.toMoment(sendAt)?.toISOString() ?? sendAt } : {}),
    }),
    check: ({ audience, listId, excludedListId, when, sendAt }) => {
      const wrong = when === 'later' ? wrongTime(zone.toMoment(sendAt)) : null
      return {
        ...(audience === 'list' && isDeleted(listId) ? { listId: texts.listDeleted } : {}),
        ...(isDeleted(excludedListId) ? { excludedListId: texts.listDeleted } : {}),
        ...(wrong ? { sendAt: wrong } : {}),
      }
    },
    send: (body) => saveOnce(me._id, body),
    onSuccess: ({ status }) => {
      if (!edited) {
        for (const key of [DRAFT, DRAFT_TIME, DRAFT_AIM]) writeDraft(me._id, key, '')
        trayOf(DRAFT).write(emptyTray)
        for (const file of files) uploads.forget(file.key)
      }
      toast.success(status === 'scheduled' ? texts.scheduled : texts.sending)
      void navigate(paths.massMessages)
    },
    // A list may have been deleted meanwhile, which is said once the lists are read again.
    meta: { ...massChanges, onFailure: [fanListsQuery.queryKey] },
    lost: edited ? texts.lost : null,
  })
  const { content, audience, listId, excludedListId, when, sendAt } = form.values
  const aim = {
    audience,
    ...(audience === 'list' && listId && !isDeleted(listId) ? { listId } : {}),
    ...(excludedListId && !isDeleted(excludedListId) ? { excludedListId } : {}),
  }
  const lacksList = audience === 'list' && !aim.listId
  const counted = useQuery(audienceQuery(aim))
  const people = counted.data?.people
  const forNobody = people === 0 && when === 'now'
  const isCounting = counted.isFetching && (people === undefined || forNobody) && !counted.isError
  const moment = zone.toMoment(sendAt)

  const ask = () => {
    const wrong = files.some((file) => file.state === 'failed')
      ? texts.uploadFailed
      : files.some((file) => file.state === 'uploading')
        ? texts.uploading
        : null
    setProblem(wrong)
    if (wrong) return
    const hasErrors =
      (content.trim() === '' && mediaIds.length === 0) ||
      (when === 'later' && wrongTime(moment) !== null) ||
      lacksList ||
      isDeleted(excludedListId)
    // Sending shows at its field what is missing or wrong.
    if (hasErrors) return form.submit()
    if (forNobody || counted.isError) void counted.refetch()
    setAsking(true)
  }
  const aimAt: typeof form.set = (field, value) => {
    setAsking(false)
    form.set(field, value)
    const aimed = { audience, listId, excludedListId, [field]: value }
    if (!edited) writeDraft(me._id, DRAFT_AIM, JSON.stringify(aimed))
  }
  const onCleared = useEffectEvent((sent: string) => {
    if (content !== sent) return
    setAsking(false)
    form.set('content', '')
  })
  useEffect(() => (edited ? undefined : watchDraft(me._id, DRAFT, onCleared)), [edited, me._id])
  const write = (text: string) => {
    form.set('content', text)
    if (!edited) writeDraft(me._id, DRAFT, text)
  }
  const keepTime = (time: string) => {
    if (!edited) writeDraft(me._id, DRAFT_TIME, time)
  }
  return (
    <>
      <ContractForm form={{ ...form, submit: ask }} label={texts.form} className={styles.form}>
        <div className={styles.part}>
          <ChoiceField
            label={texts.audience}
            choices={AUDIENCES.map((value) => ({ value, label: massTexts.audience[value] }))}
            value={audience}
            onChange={(value) => aimAt('audience', value)}
          />
          <ListChoice
            audience={audience}
            listId={listId}
            excludedListId={excludedListId}
            error={form.errorAt('listId')}
            isDeleted={isDeleted}
            onList={(value) => aimAt('listId', value)}
            onExclude={(value) => aimAt('excludedListId', value)}
          />
          <p role="status" className={styles.count}>
            {counted.isError
              ? texts.countFailed
              : people === undefined
                ? lacksList
                  ? ''
                  : texts.counting
                : people > 0
                  ? texts.reaches(people)
                  : forNobody
                    ? texts.reachesNobody
                    : texts.reachesNobodyYet}
          </p>
        </div>
        <div className={styles.part}>
          <TextAreaField
            label={texts.message}
            description={texts.messageHint}
            minRows={4}
            {...form.field('content')}
            onChange={write}
          />
          <Media
            tray={tray}
            files={files}
            uploads={uploads}
            maxBytes={maxBytes}
            onChange={(next) => {
              // A file that comes while the people are counted is asked about with the rest.
              setAsking(false)
              setTray(next)
            }}
            onProblem={setProblem}
          />
          <FormError>{form.errorAt('price')}</FormError>
        </div>
        <div className={styles.part}>
          <ChoiceField
            label={texts.when}
            choices={[
              { value: 'now', label: texts.now },
              { value: 'later', label: texts.later },
            ]}
            value={when}
            onChange={(value) => {
              form.set('when', value)
              keepTime(value === 'later' ? sendAt : '')
            }}
          />
          {when === 'later' && (
            <TextInput
              type="datetime-local"
              label={texts.time}
              description={texts.timeHint(zone.timeZone.replaceAll('_', ' '))}
              className={styles.when}
              value={sendAt}
              min={zone.toWall(serverNow())}
              error={form.errorAt('sendAt')}
              onChange={({ currentTarget: { value } }) => {
                form.set('sendAt', value)
                keepTime(value)
              }}
            />
          )}
        </div>
        <Preview content={content} items={tray.items.length + files.length} price={price} />
        <FormError>
          {problem ?? (asking && forNobody && !isCounting ? texts.reachesNobody : form.error)}
        </FormError>
        <div className={styles.actions}>
          <Button type="submit" loading={form.pending || (asking && isCounting)}>
            {scheduled ? texts.save : when === 'later' ? texts.schedule : texts.send}
          </Button>
        </div>
      </ContractForm>
      <ConfirmDialog
        opened={asking && !forNobody && (people !== undefined || counted.isError)}
        onClose={() => setAsking(false)}
        title={
          when === 'later' && moment
            ? texts.scheduleTitle(formatDateTime(moment.toISOString()))
            : texts.sendTitle(people)
        }
        confirmLabel={when === 'later' ? texts.schedule : texts.send}
        onConfirm={async () => form.submit()}
      >
        <p>{when === 'later' ? texts.scheduleEffect(people) : texts.sendEffect}</p>
      </ConfirmDialog>
    </>
  )
}

type MediaProps = Pick<Parameters<typeof TrayPanel>[0], 'tray' | 'files' | 'uploads' | 'onChange'> & {
  maxBytes: number
  onProblem: (problem: string | null) => void
}

/** The message's attachments, from this device or the library, and their price. */
function Media({ tray, files, uploads, maxBytes, onChange, onProblem }: MediaProps) {
  const [picking, setPicking] = useState(false)
  const pickerNeeded = useLatch(picking)
  const input = useRef<HTMLInputElement>(null)
  const room = MAX_ATTACHMENTS - files.length - tray.items.length
  const attach = (chosen: readonly File[]) => {
    onProblem(chosen.length > room ? composerTexts.tooMany(MAX_ATTACHMENTS) : null)
    if (chosen.length > room) return
    const keys = uploads.choose(chosen, maxBytes)
    onChange({ ...tray, uploadKeys: [...tray.uploadKeys, ...keys] })
  }
  const cancel = () => {
    for (const key of tray.uploadKeys) uploads.drop(key)
    onChange(emptyTray)
  }
  return (
    <>
      <div className={styles.media}>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPhotoPlus size={18} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {texts.upload}
        </Button>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPhotoSearch size={18} aria-hidden />}
          onClick={() => setPicking(true)}
        >
          {texts.library}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPT}
        aria-label={texts.upload}
        onChange={(event) => {
          attach([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      {files.length + tray.items.length > 0 && (
        <TrayPanel
          tray={tray}
          files={files}
          uploads={uploads}
          creates
          onChange={onChange}
          onCancel={cancel}
        />
      )}
      {pickerNeeded && (
        <LibraryPicker
          opened={picking}
          most={MAX_ATTACHMENTS - files.length}
          attached={tray.items}
          sold={tray.price !== ''}
          onClose={() => setPicking(false)}
          onAttach={(items) => {
            onChange({ ...tray, items })
            setPicking(false)
          }}
        />
      )}
    </>
  )
}

/** The message as a fan gets it. */
function Preview({ content, items, price }: { content: string; items: number; price: string | null }) {
  const media = massTexts.attachments(items)
  const cents = parseMoney(price ?? '')
  return (
    <section className={styles.preview} aria-label={texts.preview}>
      <p className={styles.previewTitle}>{texts.preview}</p>
      {content.trim() === '' && items === 0 ? (
        <p className={styles.count}>{texts.previewEmpty}</p>
      ) : (
        <div className={styles.bubble}>
          {items > 0 && (
            <p className={styles.locked}>
              {price ? <IconLock size={18} aria-hidden /> : <IconPhoto size={18} aria-hidden />}
              {price && cents !== null ? texts.previewLocked(media, formatMoney(cents)) : media}
            </p>
          )}
          {content.trim() !== '' && <p>{content}</p>}
        </div>
      )}
    </section>
  )
}
