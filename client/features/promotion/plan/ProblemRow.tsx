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
  disabled: boolean
  onChange: (row: PlanRow) => void
  onRemove: () => void
}

/** A row that can’t be scheduled as it is: why, and what can be done about it. */
export function ProblemRow({ row, disabled, onChange, onRemove }: ProblemRowProps) {
  const { subreddit, problem, fileLine } = row
  const [title, setTitle] = useState(row.title)
  const [flair, setFlair] = useState({ id: row.flairId ?? '', text: row.flairText ?? '' })
  const [poster, setPoster] = useState<Poster>({ accountId: row.accountId, byHand: row.byHand })
  const reopen = useReopen()
  const suggestion = problem?.suggestion ?? null
  const isTitle = problem?.rule?.startsWith('title-') ?? false
  return (
    <li className={styles.problem}>
      <p className={styles.name}>
        {fileLine !== null && <span className={styles.quiet}>{texts.line(fileLine)} </span>}r/{subreddit}
        {!isTitle && row.title && <span className={styles.quiet}> · {row.title}</span>}
      </p>
      <p className={styles.message}>{problem?.message}</p>
      {isTitle && (
        <TextInput
          label={texts.title}
          value={title}
          maxLength={MAX_POST_TITLE_LENGTH}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
      )}
      {problem?.rule === 'flair' && (
        <FlairField subreddit={subreddit} value={flair} onChange={setFlair} required />
      )}
      {problem?.rule === 'closed' && <PosterField value={poster} onChange={setPoster} />}
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
        {problem?.rule === 'verification' && (
          <LinkButton variant="default" size="sm" to={promotionPaths.verification(subreddit)}>
            {texts.verify}
          </LinkButton>
        )}
        {problem?.rule === 'closed' && (
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
          aria-label={texts.removeOf(row.title, subreddit)}
          onClick={onRemove}
        >
          {texts.remove}
        </Button>
      </div>
    </li>
  )
}
