import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '../../../ui/format.ts'
import { Tag } from '../../../ui/Tag.tsx'
import { verificationLabel } from '../parts/label-texts.ts'
import { type Subreddit, tagsQuery } from './api.ts'
import styles from './subreddits.module.css'
import { fieldTexts as fields, subredditTexts as texts } from './texts.ts'

/**
 * How the forum stands to a subreddit: how many follow it, what changed and, if `dated`, when it was read: not above its
 * rules, which say when they were read themselves.
 */
export function SubredditStanding({ subreddit, dated }: { subreddit: Subreddit; dated: boolean }) {
  const { subscribers, state, readAt, changed } = subreddit
  return (
    <div className={styles.standing}>
      {subscribers !== null && <p>{texts.subscribers(subscribers)}</p>}
      {dated && <p>{readAt ? texts.read(formatDateTime(readAt)) : texts.unread}</p>}
      {changed && <p>{texts.changed(changed.parts, formatDateTime(changed.at))}</p>}
      {state !== 'read' && state !== 'unread' && <Tag tone="warning">{texts.states[state]}</Tag>}
    </div>
  )
}

/** Our notes on a subreddit’s rules, to read. */
export function SubredditFacts({ subreddit }: { subreddit: Subreddit }) {
  const tags = useQuery(tagsQuery).data?.items ?? []
  const yesOrNo = (answer: boolean) => (answer ? fields.answers.true : fields.answers.false)
  const limit = (frequency: Subreddit['postFrequency']) =>
    frequency
      ? fields.frequency(frequency.maxPosts, frequency.intervalAmount, frequency.intervalUnit)
      : fields.noLimit
  const chosen = tags.filter(({ _id }) => subreddit.srTagIds.includes(_id)).map(({ name }) => name)
  const facts: readonly (readonly [string, string])[] = [
    [fields.verificationType, verificationLabel[subreddit.verificationType]],
    [fields.ocSettings, fields.oc[subreddit.ocSettings]],
    [fields.sellingAccountsAllowed, yesOrNo(subreddit.sellingAccountsAllowed)],
    [fields.malesAllowed, fields.answers[subreddit.malesAllowed]],
    [fields.womenOnly, fields.answers[subreddit.womenOnly]],
    [fields.boyAndGirlRequired, yesOrNo(subreddit.boyAndGirlRequired)],
    [fields.couplesOnly, yesOrNo(subreddit.couplesOnly)],
    [fields.watermarkType, fields.watermarks[subreddit.watermarkType]],
    [fields.faceRequired, yesOrNo(subreddit.faceRequired)],
    [fields.toysAllowed, yesOrNo(subreddit.toysAllowed)],
    [fields.sexActsAllowed, yesOrNo(subreddit.sexActsAllowed)],
    [fields.postFrequency, limit(subreddit.postFrequency)],
    [fields.repostFrequency, limit(subreddit.repostFrequency)],
    ...(chosen.length > 0 ? [[fields.tags, chosen.join(', ')] as const] : []),
  ]
  return (
    <>
      {!subreddit.categorized && <p className={styles.quiet}>{texts.unchecked}</p>}
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {subreddit.notes && (
          <div className={styles.fact}>
            <dt>{fields.notes}</dt>
            <dd className={styles.notes}>{subreddit.notes}</dd>
          </div>
        )}
      </dl>
    </>
  )
}
