import { IconFlag } from '@tabler/icons-react'
import { useState } from 'react'
import { messageReportRoutes } from '../../../../contract/routes/messaging/reports.ts'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { toast } from '../../../ui/toast.ts'
import { TakedownDialog } from '../../media/parts/takedown/TakedownDialog.tsx'
import { useOpenMedia } from '../../media/parts/use-open-media.ts'
import { WallTile } from '../../media/parts/wall/WallTile.tsx'
import { reportTexts as texts } from '../occasional-texts.ts'
import {
  type MessageReport,
  type ReportedLine,
  reportsQuery,
  useCloseReport,
  useReadReported,
} from './api.ts'
import styles from './reports.module.css'

/** Messages that people reported: what they say, what stands around them, and what was decided. */
export function Component() {
  const [showing, setShowing] = useState<'open' | 'closed'>('open')
  const [closing, setClosing] = useState<MessageReport | null>(null)
  const list = useList(reportsQuery(showing))
  const close = useCloseReport()
  return (
    <Page title={texts.title} lead={texts.lead}>
      <FilterButtons
        label={texts.showing}
        choices={[
          { value: 'open', label: texts.open },
          { value: 'closed', label: texts.closed },
        ]}
        value={showing}
        onChange={setShowing}
      />
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={6} />}
        empty={
          <EmptyState Icon={IconFlag} title={texts.none}>
            {texts.noneWhy}
          </EmptyState>
        }
      >
        <ul className={styles.list} aria-label={texts.label}>
          {list.items.map((report) => (
            <Report key={report._id} report={report} onClose={() => setClosing(report)} />
          ))}
        </ul>
      </GrowingList>
      <ReasonDialog
        route={messageReportRoutes.closeReport}
        opened={closing !== null}
        onClose={() => setClosing(null)}
        title={texts.close}
        confirmLabel={texts.close}
        over="report_closed"
        onConfirm={async (reason) => {
          if (!closing) return
          await close.mutateAsync({ reportId: closing._id, reason })
          toast.success(texts.wasClosed)
        }}
      >
        <p>{texts.closeEffect}</p>
      </ReasonDialog>
    </Page>
  )
}

/** The button that asked for it is gone. */
const focus = (element: HTMLElement | null) => element?.focus()

function Report({ report, onClose }: { report: MessageReport; onClose: () => void }) {
  const { sender, reporter, content, earlier, reason, createdAt, readable, closedAt, closedBy, decision } =
    report
  const reading = useReadReported()
  const lines = reading.data?.messages
  const read = () => reading.mutate(report._id, { onError: (error) => toast.failure(errorMessage(error)) })
  return (
    <li className={styles.report}>
      <p className={styles.note}>
        {formatDateTime(createdAt)} · <Name person={reporter} /> {texts.reported} <Name person={sender} />
      </p>
      <blockquote className={styles.message}>{content || texts.attachmentsOnly}</blockquote>
      <Earlier texts={earlier} />
      <p>{reason}</p>
      {lines && (
        <ol ref={focus} tabIndex={-1} className={styles.around} aria-label={texts.around}>
          {lines.map((line) => (
            <Line key={line._id} line={line} sender={sender} reporter={reporter} />
          ))}
        </ol>
      )}
      {closedAt ? (
        <p className={styles.note}>
          {texts.closedBy(formatDateTime(closedAt))} <Name person={closedBy} />: {decision}
        </p>
      ) : (
        <div className={styles.actions}>
          {readable && !lines && (
            <Button variant="default" size="sm" loading={reading.isPending} onClick={read}>
              {texts.readAround}
            </Button>
          )}
          <Button variant="default" size="sm" onClick={onClose}>
            {texts.close}
          </Button>
        </div>
      )}
    </li>
  )
}

function Name({ person }: { person: MessageReport['sender'] }) {
  if (!person) return texts.deletedUser
  return <TextLink to={paths.profile(person.username)}>{person.username}</TextLink>
}

/** The texts of a message before its edits. */
function Earlier({ texts: earlier }: { texts: MessageReport['earlier'] }) {
  return earlier.map(({ content, until }) => (
    <p key={until} className={styles.earlier}>
      {texts.beforeEdit(formatDateTime(until), content || texts.attachmentsOnly)}
    </p>
  ))
}

type LineProps = { line: ReportedLine } & Pick<MessageReport, 'sender' | 'reporter'>

function Line({ line, sender, reporter }: LineProps) {
  const from = line.senderId === sender?._id ? sender : reporter
  return (
    <li data-reported={line.reported || undefined}>
      <strong>{from?.username ?? texts.deletedUser}</strong>{' '}
      <time className={styles.note} dateTime={line.createdAt}>
        {formatDateTime(line.createdAt)}
      </time>{' '}
      {line.content} {line.deleted && <span className={styles.note}>{texts.deleted}</span>}
      <Earlier texts={line.earlier} />
      {line.attachments.length > 0 && (
        <ul className={styles.media} aria-label={texts.attachments(line.attachments.length)}>
          {line.attachments.map((media) => (
            <li key={media._id}>
              <Attached media={media} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** An attachment of a message as sent, which can be taken down, or why it is changed. */
function Attached({ media }: { media: ReportedLine['attachments'][number] }) {
  const open = useOpenMedia()
  const [asking, setAsking] = useState(false)
  const [isDone, setIsDone] = useState(false)
  const isDown = media.locked === true || isDone
  return (
    <>
      <WallTile media={media} onOpen={open} ratio={1} sizes="10rem" />
      {isDown && <p className={styles.note}>{texts.takenDown}</p>}
      <Button variant="default" size="sm" onClick={() => setAsking(true)}>
        {isDown ? texts.changeReason : texts.takeDown}
      </Button>
      <TakedownDialog
        mediaId={media._id}
        opened={asking}
        onClose={() => setAsking(false)}
        onDone={() => setIsDone(true)}
      />
    </>
  )
}
