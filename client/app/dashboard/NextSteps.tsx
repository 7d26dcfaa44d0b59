import { IconArrowRight, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { subscriptionsQuery } from '../../features/commerce/api.ts'
import { anyMediaQuery } from '../../features/media/api.ts'
import { paths } from '../../lib/paths.ts'
import type { Person } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import styles from './NextSteps.module.css'

/** What needs the creator next: the way from an empty account to the first sale, and then what keeps it going. */
export function NextSteps({ person }: { person: Person }) {
  const media = useQuery(anyMediaQuery)
  const subscriptions = useQuery(subscriptionsQuery(person._id))
  if (media.isPending || subscriptions.isPending) {
    return (
      <Card>
        <SkeletonLines lines={7} />
      </Card>
    )
  }
  const failed = media.error ? media : subscriptions.error ? subscriptions : null
  if (failed) {
    return (
      <Card>
        <ErrorState
          title="Your next steps could not be loaded"
          error={failed.error}
          onRetry={() => void Promise.all([media.refetch(), subscriptions.refetch()])}
        />
      </Card>
    )
  }
  const sells = (subscriptions.data?.length ?? 0) > 0
  const steps = [
    {
      done: person.profileImage !== null,
      label: 'Add a profile picture',
      why: 'Fans look for a face first.',
      to: paths.editProfile,
    },
    {
      done: media.data ?? false,
      label: 'Upload your first media',
      why: 'Nothing is public until you say so.',
      to: paths.uploadBulk,
    },
    {
      done: sells,
      label: 'Set your first price',
      why: 'A monthly subscription, a bundle or a single piece.',
      to: paths.premiumContent,
    },
  ]
  const ready = steps.every(({ done }) => done)
  return (
    <Card>
      <section aria-label="What is next">
        <h2 className={styles.title}>{ready ? 'Keep it going' : 'Finish setting up'}</h2>
        <ol className={styles.steps}>
          {ready ? (
            <>
              <Step label="Upload something new" why="Followers see it first." to={paths.uploadBulk} />
              <Step
                label="Look at what you sell"
                why="Titles, prices and what is in them."
                to={paths.premiumContent}
              />
              <Step
                label="See your profile as fans do"
                why="And share its address."
                to={`${paths.profile(person.username)}?view=fan`}
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

function Step({ label, why, to, done }: { label: string; why: string; to: string; done?: boolean }) {
  return (
    <li>
      <Link to={to} className={styles.step}>
        {done === undefined ? null : done ? (
          <IconCircleCheckFilled size={22} className={styles.done} aria-label="Done" />
        ) : (
          <IconCircle size={22} stroke={1.5} className={styles.open} aria-label="To do" />
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
