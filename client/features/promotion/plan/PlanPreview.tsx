import { IconArrowsShuffle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatDate } from '../../../ui/format.ts'
import { formatExactTime, formatWeekday } from '../../../ui/format-occasional.ts'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { queueQuery } from '../timeline/api.ts'
import { usePreview, useSchedulePlan } from './api.ts'
import { ProblemRow } from './ProblemRow.tsx'
import styles from './plan.module.css'
import { answered, byDay, isReadable, type PlanRow, shuffled, twinsOf } from './rows.ts'
import { previewTexts as texts } from './texts.ts'

type PlanPreviewProps = {
  rows: readonly PlanRow[]
  onChange: (rows: PlanRow[] | null) => void
  onBack: () => void
}

/** The preview of a plan: rows that need a look first, then each day. A change plans everything again. */
export function PlanPreview({ rows, onChange, onBack }: PlanPreviewProps) {
  const navigate = useNavigate()
  const postedBy = usePostedBy()
  const preview = usePreview()
  const schedule = useSchedulePlan()
  const keep = useUnsaved(texts.unsaved)
  const head = useRef<HTMLParagraphElement>(null)
  const broken = rows.filter(({ problem }) => problem !== null)
  const good = rows.filter(({ problem }) => problem === null)
  const twins = twinsOf(rows)
  const days = byDay(good)
  const [first, last] = [days[0], days.at(-1)]
  // Screen readers announce the plan's result.
  useEffect(() => head.current?.focus(), [])

  const plan = (next: PlanRow[]) => {
    onChange(next)
    if (next.length === 0) return onBack()
    const readable = next.filter(isReadable)
    if (readable.length === 0) return
    preview.mutate({ rows: readable }, { onSuccess: (planned) => onChange(answered(next, planned)) })
  }
  const remove = (key: string) => {
    const before = [...rows]
    plan(rows.filter((row) => row.key !== key))
    toast.offer(texts.removed, { label: texts.undo, onAct: () => plan(before) })
  }
  const save = () =>
    schedule.mutate(good, {
      onSuccess: (planned) => {
        const left = answered(good, planned).filter(({ problem }) => problem !== null)
        toast.success(texts.scheduled(planned.length - left.length))
        if (left.length > 0 || broken.length > 0) return onChange([...broken, ...left])
        keep()
        void navigate(promotionPaths.timeline)
      },
    })
  const busy = preview.isPending || schedule.isPending
  return (
    <>
      <p ref={head} tabIndex={-1} className={styles.summary} role="status">
        {preview.isPending
          ? texts.planning
          : first && last
            ? texts.summary(good.length, first.day, last.day)
            : texts.nothing}
      </p>
      <div className={styles.bar}>
        {good.length > 0 && (
          <Button loading={busy} onClick={save}>
            {texts.schedule(good.length)}
          </Button>
        )}
        {good.length > 1 && (
          <Button
            variant="default"
            disabled={busy}
            leftSection={<IconArrowsShuffle size={18} stroke={1.75} aria-hidden />}
            onClick={() => plan(shuffled(rows))}
          >
            {texts.shuffle}
          </Button>
        )}
        <Button variant="subtle" disabled={schedule.isPending} onClick={onBack}>
          {texts.back}
        </Button>
      </div>
      <FormError>{failureOf(preview.error ?? schedule.error)}</FormError>
      {broken.length > 0 && (
        <section className={styles.day} aria-labelledby="plan-problems">
          <h2 id="plan-problems" className={styles.heading}>
            {texts.problems(broken.length)}
          </h2>
          <ul className={styles.rows}>
            {broken.map((row) => (
              <ProblemRow
                key={row.key}
                row={row}
                place={twins.get(row.key) ?? null}
                disabled={busy}
                onChange={(next) => plan(rows.map((each) => (each.key === row.key ? next : each)))}
                onRemove={() => remove(row.key)}
              />
            ))}
          </ul>
        </section>
      )}
      {days.map(({ day, rows: its }) => (
        <section key={day} className={styles.day} aria-label={formatDate(day)}>
          <h2 className={styles.heading}>
            {formatWeekday(day)} <span className={styles.quiet}>{formatDate(day)}</span>
          </h2>
          <ul className={styles.rows}>
            {its.map((row) => (
              <li key={row.key} className={styles.row}>
                <span className={styles.time}>{formatExactTime(row.postTime ?? '')}</span>
                <span className={styles.words}>
                  <span className={styles.name}>{row.title}</span>
                  <span className={styles.quiet}>
                    r/{row.subreddit}
                    {postedBy(row)} {row.flair !== null && <Tag>{row.flair}</Tag>}
                  </span>
                </span>
                <Button
                  variant="subtle"
                  size="sm"
                  disabled={busy}
                  aria-label={texts.removeOf(row.title, row.subreddit)}
                  onClick={() => remove(row.key)}
                >
                  {texts.remove}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** The poster of a row, if there are several accounts. */
function usePostedBy() {
  const accounts = useQuery(queueQuery).data?.accounts ?? []
  const usual = accounts.find(({ state }) => state !== 'disconnected')
  return ({ accountId, byHand }: PlanRow) => {
    if (byHand) return ` · ${texts.byHand}`
    const account = accounts.find(({ _id }) => _id === accountId) ?? usual
    return account && accounts.length > 1 ? ` · ${texts.account(account.name)}` : ''
  }
}

const failureOf = (error: Error | null) => error && errorMessage(error)
