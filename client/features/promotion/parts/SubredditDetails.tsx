import { useQuery } from '@tanstack/react-query'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { toast } from '../../../ui/toast.ts'
import { flairQuery, requirementsQuery, useRefresh } from './api.ts'
import { ForumFailure } from './ForumFailure.tsx'
import styles from './parts.module.css'
import { requirementSentences } from './requirements.ts'
import { SubredditChanges } from './SubredditChanges.tsx'
import { detailsTexts as texts } from './texts.ts'
import { useForum } from './use-forum.ts'

/** Rules, post requirements and flair of a subreddit as the forum last said, and a way to ask again. */
export function SubredditDetails({ name }: { name: string }) {
  const reading = useQuery(requirementsQuery(name))
  const refresh = useRefresh(name)
  const { data, error } = reading
  const { available } = useForum()
  return (
    <div className={styles.details}>
      <div className={styles.bar}>
        <p className={styles.quiet}>{data && texts.read(formatDateTime(data.readAt))}</p>
        {available && (
          <Button
            variant="default"
            size="sm"
            loading={refresh.isPending}
            onClick={() => refresh.mutate(undefined, { onSuccess: () => toast.success(texts.refreshed) })}
          >
            {texts.refresh}
          </Button>
        )}
      </div>
      {refresh.error && <ForumFailure error={refresh.error} />}
      {reading.isPending && <SkeletonLines lines={5} />}
      {!data && error && <ForumFailure error={error} />}
      {data && data.state !== 'read' && data.state !== 'unread' && (
        <p className={styles.failure}>{texts.states[data.state]}</p>
      )}
      {data?.state === 'read' && (
        <>
          <Part title={texts.rules}>
            {data.rules.length === 0 && <p className={styles.quiet}>{texts.noRules}</p>}
            <ol className={styles.rules}>
              {data.rules.map((rule) => (
                <li key={rule.name}>
                  <strong>{rule.name}</strong>
                  {rule.description && <p>{rule.description}</p>}
                </li>
              ))}
            </ol>
          </Part>
          <Requirements name={name} wants={data.requirements} />
        </>
      )}
      <SubredditChanges name={name} />
    </div>
  )
}

type Wants = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof requirementsQuery>['queryFn']>>>>

function Requirements({ name, wants }: { name: string; wants: Wants['requirements'] }) {
  const { forumConnected } = useCurrentUser()
  const { name: forum, available } = useForum()
  if (!available && !wants) return <p className={styles.quiet}>{texts.unavailable(forum)}</p>
  if (!forumConnected && !wants)
    return (
      <p className={styles.quiet}>
        {texts.connectForRequirements} <TextLink to={promotionPaths.accounts}>{texts.connect}</TextLink>
      </p>
    )
  const sentences = wants ? requirementSentences(wants) : [texts.unreadRequirements]
  return (
    <>
      <Part title={texts.requirements}>
        {sentences.length === 0 && <p className={styles.quiet}>{texts.noRequirements}</p>}
        <ul className={styles.rules}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Part>
      {available && <Flair name={name} />}
    </>
  )
}

function Flair({ name }: { name: string }) {
  const flair = useQuery(flairQuery(name))
  return (
    <Part title={texts.flair}>
      {flair.isPending && <SkeletonLines lines={1} />}
      {flair.error && <ForumFailure error={flair.error} />}
      {flair.data?.items.length === 0 && (
        <p className={styles.quiet}>{flair.data.known ? texts.noFlair : texts.unreadFlair}</p>
      )}
      <ul className={styles.flair}>
        {flair.data?.items.map(({ id, text, editable }) => (
          <li key={id}>
            {text}
            {editable && <span className={styles.quiet}> · {texts.ownText}</span>}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      {children}
    </section>
  )
}
