import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { type Check, useReopen } from './api.ts'
import styles from './schedule.module.css'
import { cardTexts as texts } from './texts.ts'

type VerdictsProps = {
  verdicts: Check['verdicts']
  subreddit: string
  /** The account that would post; without it, the first connected one. */
  accountId: string | null
  /** Takes the title that is suggested. */
  onUse: (title: string) => void
}

/** Problems of a post in a subreddit, each with advice. */
export function Verdicts({ verdicts, subreddit, accountId, onUse }: VerdictsProps) {
  const reopen = useReopen()
  const suggestion = verdicts.find((verdict) => verdict.suggestion !== null)?.suggestion ?? null
  const has = (wanted: string) => verdicts.some(({ rule }) => rule === wanted)
  return (
    <>
      {verdicts.length > 0 && (
        <ul className={styles.verdicts}>
          {verdicts.map(({ rule, message }) => (
            <li key={rule}>{message}</li>
          ))}
        </ul>
      )}
      {has('verification') && <TextLink to={promotionPaths.verification(subreddit)}>{texts.verify}</TextLink>}
      {has('closed') && (
        <div>
          <Button
            variant="default"
            size="sm"
            loading={reopen.isPending}
            onClick={() => reopen.mutate({ subreddit, accountId: accountId ?? undefined })}
          >
            {texts.reopen}
          </Button>
          <FormError>{reopen.error && errorMessage(reopen.error)}</FormError>
        </div>
      )}
      {suggestion !== null && (
        <div>
          <Button variant="default" size="sm" className={styles.use} onClick={() => onUse(suggestion)}>
            {texts.use(suggestion)}
          </Button>
        </div>
      )}
    </>
  )
}
