import { IconArrowRight, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { bundlesQuery, subscriptionsQuery } from '../../features/commerce/api.ts'
import { anyMediaQuery, anySingleQuery } from '../../features/media/parts/first-items.ts'
import { unreadQuery } from '../../features/messaging/parts/badge/UnreadBadge.tsx'
import { paths } from '../../lib/paths.ts'
import type { Person } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { Fetched } from '../../ui/Fetched.tsx'
import { useLatch } from '../../ui/lazy-part.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import styles from './NextSteps.module.css'
import { nextStepsTexts } from './texts.ts'
import { WaitingList } from './WaitingList.tsx'
import { waitingQuery } from './waiting.ts'
import { waitingTexts } from './waiting-texts.ts'

/**
 * A creator's next steps: open tasks, the way from an empty account to the first sale, or advice when there is neither.
 */
export function NextSteps({ person }: { person: Person }) {
  const media = useQuery(anyMediaQuery)
  const subscriptions = useQuery(subscriptionsQuery(person._id))
  const bundles = useQuery(bundlesQuery(person._id))
  const singles = useQuery(anySingleQuery(person._id))
  const waiting = useQuery(waitingQuery)
  const unread = useQuery(unreadQuery)
  const all = [media, subscriptions, bundles, singles]
  const sells = Boolean(subscriptions.data?.length || bundles.data?.length || singles.data)
  const steps = [
    {
      done: person.profileImage !== null,
      label: nextStepsTexts.picture,
      why: nextStepsTexts.pictureWhy,
      to: paths.editProfile,
    },
    {
      done: media.data ?? false,
      label: nextStepsTexts.upload,
      why: nextStepsTexts.uploadWhy,
      to: paths.uploadBulk,
    },
    {
      done: sells,
      label: nextStepsTexts.price,
      why: nextStepsTexts.priceWhy,
      to: paths.premiumContent,
    },
  ]
  const ready = steps.every(({ done }) => done)
  const conversations = { count: unread.data?.items.length ?? 0, to: paths.chats }
  const works = Boolean(waiting.data && (waiting.data.length > 0 || conversations.count > 0))
  // Shown in one go: what comes later would push down what stands below.
  const isSettled = useLatch([waiting, unread, ...all].every(({ isPending }) => !isPending))
  if (!isSettled)
    return (
      <Card>
        <SkeletonLines lines={7} />
      </Card>
    )
  return (
    <>
      {/* A failed reading removes no step; the bar shows unread messages as well. */}
      <Fetched
        query={waiting}
        waiting={null}
        failed={waitingTexts.loadFailed}
        around={(failure) => <Card>{failure}</Card>}
      >
        {(things) => works && <WaitingList title={waitingTexts.own} things={things} unread={conversations} />}
      </Fetched>
      <Fetched
        query={{
          data: all.every(({ data }) => data !== undefined) || undefined,
          error: all.find(({ data, error }) => data === undefined && error)?.error,
          refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
        }}
        waiting={
          <Card>
            <SkeletonLines lines={7} />
          </Card>
        }
        failed={nextStepsTexts.loadFailed}
        around={(failure) => <Card>{failure}</Card>}
      >
        {() =>
          !(works && ready) && (
            <Card>
              <section aria-label={nextStepsTexts.label}>
                <h2 className={styles.title}>{ready ? nextStepsTexts.keepGoing : nextStepsTexts.setUp}</h2>
                <ol className={styles.steps}>
                  {ready ? (
                    <>
                      <Step
                        label={nextStepsTexts.uploadMore}
                        why={nextStepsTexts.uploadMoreWhy}
                        to={paths.uploadBulk}
                      />
                      <Step
                        label={nextStepsTexts.review}
                        why={nextStepsTexts.reviewWhy}
                        to={paths.premiumContent}
                      />
                      <Step
                        label={nextStepsTexts.asFan}
                        why={nextStepsTexts.asFanWhy}
                        to={`${paths.profile(person.username)}?as=fan`}
                      />
                    </>
                  ) : (
                    steps.map((step) => <Step key={step.label} {...step} />)
                  )}
                </ol>
              </section>
            </Card>
          )
        }
      </Fetched>
    </>
  )
}

function Step({ label, why, to, done }: { label: string; why: string; to: string; done?: boolean }) {
  return (
    <li>
      <Link to={to} className={styles.step}>
        {done === undefined ? null : done ? (
          <IconCircleCheckFilled size={22} className={styles.done} aria-label={nextStepsTexts.done} />
        ) : (
          <IconCircle size={22} stroke={1.5} className={styles.open} aria-label={nextStepsTexts.toDo} />
        )}
        <span className={styles.words}>
          <span className={styles.label}>{label}</span>
          {!done && <span className={styles.why}>{why}</span>}
        </span>
        {!done && <IconArrowRight size={18} stroke={1.5} className={styles.open} aria-hidden />}
      </Link>
    </li>
  )
}
