import { useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { formatDateTime, formatNumber, withCents } from '../../../ui/format.ts'
import { formatPercent } from '../../../ui/format-occasional.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { Tag, type Tone } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { takesForms } from '../../../ui/UnsavedChanges.tsx'
import { isUnsent, type MassMessage, useCancelMassMessage, useUnsendMassMessage } from './api.ts'
import styles from './mass-messages.module.css'
import { massTexts as texts } from './texts.ts'

const TONES: Record<MassMessage['status'], Tone> = {
  scheduled: 'gold',
  sending: 'yours',
  sent: 'good',
  unsending: 'warning',
  unsent: 'neutral',
  failed: 'bad',
}

/** A mass message with whom it went to, what became of it, and what can still be done. */
export function MassMessageItem({ message }: { message: MassMessage }) {
  const { content, attachments, price, status, sendAt, sent, expected, unsent, leftOut, failure } = message
  const isMoving = status === 'sending' || status === 'unsending'
  const isStopped = status === 'failed' && sent > 0
  const parts = [
    texts.to(audienceOf(message)),
    formatDateTime(sendAt),
    ...(attachments.length > 0 ? [texts.attachments(attachments.length)] : []),
    ...(price ? [price] : []),
  ]
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <Words content={content || texts.mediaOnly} />
        <Tag tone={TONES[status]}>{isStopped ? texts.stopped : texts.status[status]}</Tag>
      </div>
      <p className={styles.about}>{parts.join('\u00a0· ')}</p>
      {failure && <p className={styles.problem}>{isStopped ? texts.stoppedWhy(failure) : failure}</p>}
      {leftOut > 0 && !failure && <p className={styles.problem}>{texts.leftOut(leftOut)}</p>}
      {status === 'scheduled' && <p className={styles.about}>{texts.goesTo(expected)}</p>}
      {isMoving && (
        <ProgressBar
          label={texts.status[status]}
          percent={status === 'sending' ? share(sent, expected) : share(unsent, sent)}
          note={status === 'sending' ? texts.progress(sent, expected) : texts.progress(unsent, sent)}
        />
      )}
      {sent > 0 && <Figures message={message} />}
      {unsent > 0 && <p className={styles.about}>{texts.removed(unsent)}</p>}
      <Actions message={message} />
    </li>
  )
}

/** The text of a message: its beginning, and on demand the rest. */
function Words({ content }: { content: string }) {
  const [whole, setWhole] = useState(false)
  const beginning = beginningOf(content)
  const isLong = beginning !== content
  return (
    <div className={styles.words}>
      <p className={styles.content}>{whole || !isLong ? content : `${beginning}…`}</p>
      {isLong && (
        <Button
          size="sm"
          variant="subtle"
          aria-label={texts.actionFor(whole ? texts.less : texts.whole, beginning)}
          onClick={() => setWhole(!whole)}
        >
          {whole ? texts.less : texts.whole}
        </Button>
      )}
    </div>
  )
}

/** Letters and lines of a message that its creator's list shows at first. */
const BEGINNING = { letters: 160, lines: 3 }

function beginningOf(content: string): string {
  const lines = content.split('\n').slice(0, BEGINNING.lines).join('\n')
  return [...lines].slice(0, BEGINNING.letters).join('')
}

function audienceOf({ audience, list, excludedList }: MassMessage): string {
  const to = audience === 'list' ? (list?.name ?? texts.deletedList) : texts.audience[audience]
  return excludedList ? texts.except(to, excludedList.name) : to
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(100, (100 * part) / whole))

/** How many got it, opened it and bought it, each as a part of those who got it. */
function Figures({ message: { sent, opened, bought, price, earned } }: { message: MassMessage }) {
  const figures = [
    { label: texts.sentTo, count: sent },
    { label: texts.opened, count: opened },
    ...(price ? [{ label: texts.bought, count: bought }] : []),
  ]
  return (
    <div className={styles.figures}>
      <dl className={styles.bars}>
        {figures.map(({ label, count }, at) => (
          <div key={label} className={styles.figure}>
            <dt>{label}</dt>
            <dd>
              {at === 0 ? formatNumber(count) : texts.share(count, formatPercent(share(count, sent), 0))}
              <span className={styles.bar} aria-hidden>
                <span style={{ inlineSize: `${share(count, sent)}%` }} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
      {price && <p className={styles.earned}>{texts.earned(withCents(earned))}</p>}
    </div>
  )
}

function Actions({ message }: { message: MassMessage }) {
  const { _id, content, attachments, price, status, canUnsend } = message
  const [asking, setAsking] = useState<'cancel' | 'unsend' | null>(null)
  const cancel = useCancelMassMessage()
  const unsend = useUnsendMassMessage()
  const canChange = isUnsent(message)
  const close = () => setAsking(null)
  const named = (action: string) => texts.actionFor(action, content || texts.mediaOnly)
  if (!canChange && !canUnsend) return null
  return (
    <div className={styles.actions}>
      {canChange && (
        <LinkButton
          size="sm"
          variant="default"
          aria-label={named(texts.edit)}
          to={paths.massMessage(_id)}
          // The list has the same path.
          state={takesForms}
        >
          {texts.edit}
        </LinkButton>
      )}
      {canChange && (
        <Button
          size="sm"
          variant="subtle"
          color="red"
          aria-label={named(texts.cancel)}
          onClick={() => setAsking('cancel')}
        >
          {texts.cancel}
        </Button>
      )}
      {canUnsend && (
        <Button
          size="sm"
          variant="default"
          aria-label={named(texts.unsend)}
          onClick={() => setAsking('unsend')}
        >
          {texts.unsend}
        </Button>
      )}
      <ConfirmDialog
        opened={asking === 'cancel'}
        onClose={close}
        title={texts.cancelTitle}
        confirmLabel={texts.cancel}
        destructive
        onConfirm={async () => {
          await cancel.mutateAsync(_id)
          toast.success(texts.canceled)
        }}
      >
        <p>{texts.cancelEffect}</p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'unsend'}
        onClose={close}
        title={texts.unsendTitle}
        confirmLabel={texts.unsend}
        destructive
        onConfirm={async () => {
          await unsend.mutateAsync(_id)
          toast.success(texts.unsending)
        }}
      >
        <p>
          {texts.unsendEffect({
            isMoving: status === 'sending',
            sold: price !== null,
            media: attachments.length > 0,
          })}
        </p>
      </ConfirmDialog>
    </div>
  )
}
