import { useState } from 'react'
import { MAX_POST_TITLE_LENGTH } from '../../../../contract/promotion.ts'
import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useReopen } from '../schedule/api.ts'
import { FlairField } from '../schedule/FlairField.tsx'
import { type Poster, PosterField } from '../schedule/PosterField.tsx'
import styles from './plan.module.css'
import { isReadable, type PlanRow } from './rows.ts'
import { previewTexts as texts } from './texts.ts'

type ProblemRowProps = {
  row: PlanRow
  /** Its place in the plan, where another row has its subreddit and title. */
  place: number | null
  disabled: boolean
  onChange: (row: PlanRow) => void
  onRemove: () => void
}

/** A row that can’t be scheduled as it is: all that keeps it, and what can be done about it. */
export function ProblemRow({ row, place, disabled, onChange, onRemove }: ProblemRowProps) {
  const { subreddit, problem, fileLine } = row
  const [title, setTitle] = useState(row.title)
  const [flair, setFlair] = useState({ id: row.flairId ?? '', text: row.flairText ?? '' })
  const [poster, setPoster] = useState<Poster>({ accountId: row.accountId, byHand: row.byHand })
  const reopen = useReopen()
  const suggestion = problem?.suggestion ?? null
  const reasons = problem ? [problem, ...problem.others] : []
  const has = (rule: string) => reasons.some((reason) => reason.rule?.startsWith(rule))
  const isTitle = has('title-')
  const mark = fileLine !== null ? texts.line(fileLine) : place !== null ? texts.place(place) : null
  return (
    <li className={styles.problem}>
      <p className={styles.name}>
        {mark !== null && <span className={styles.quiet}>{mark} </span>}r/{subreddit}
        {!isTitle && row.title && <span className={styles.quiet}> · {row.title}</span>}
      </p>
      {reasons.map(({ message }) => (
        <p key={message} className={styles.message}>
          {message}
        </p>
      ))}
      {isTitle && (
        <TextInput
          label={texts.title}
          value={title}
          maxLength={MAX_POST_TITLE_LENGTH}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
      )}
      {has('flair') && <FlairField subreddit={subreddit} value={flair} onChange={setFlair} required />}
      {has('closed') && <PosterField value={poster} onChange={setPoster} />}
      <div className={styles.actions}>
        {suggestion !== null && (
          <Button
            variant="default"
            size="sm"
            className={styles.use}
            disabled={disabled}
            onClick={() => onChange({ ...row, title: suggestion })}
          >
            {texts.use(suggestion)}
          </Button>
        )}
        {has('verification') && (
          <LinkButton variant="default" size="sm" to={promotionPaths.verification(subreddit)}>
            {texts.verify}
          </LinkButton>
        )}
        {has('closed') && (
          <Button
            variant="default"
            size="sm"
            disabled={disabled}
            loading={reopen.isPending}
            onClick={() =>
              reopen.mutate(
                { subreddit, accountId: row.accountId ?? undefined },
                {
                  onSuccess: () => onChange(row),
                  onError: (error) => toast.failure(errorMessage(error)),
                },
              )
            }
          >
            {texts.reopen}
          </Button>
        )}
        {isReadable(row) && (
          <Button
            variant="default"
            size="sm"
            disabled={disabled}
            onClick={() =>
              onChange({
                ...row,
                ...poster,
                title: isTitle ? title.trim() : row.title,
                flairId: flair.id || null,
                flairText: flair.text.trim() || null,
              })
            }
          >
            {texts.check}
          </Button>
        )}
        <Button
          variant="subtle"
          size="sm"
          disabled={disabled}
          aria-label={texts.removeOf(row.title, subreddit, mark)}
          onClick={onRemove}
        >
          {texts.remove}
        </Button>
      </div>
    </li>
  )
}
