import { useQuery } from '@tanstack/react-query'
import { errors } from '../../../../contract/errors.ts'
import { ApiError } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { mediaQuery } from '../api.ts'
import { nameOf } from '../manage/words.ts'
import styles from './EditMediaForm.module.css'
import { EditMediaForm } from './EditMediaForm.tsx'
import { Preview } from './Preview.tsx'
import { UnlockForFan } from './UnlockForFan.tsx'

/** An own item with everything that can be changed of it; the operator unlocks anybody's for a fan (promotion-tools §2). */
export function EditMedia({ mediaId }: { mediaId: string }) {
  const person = useCurrentUser()
  const media = useQuery({
    ...mediaQuery(mediaId),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  })
  const library = <LinkButton to={paths.manageMedia}>Manage media</LinkButton>
  if (media.isPending || (media.isFetching && !media.isFetchedAfterMount)) return <SkeletonLines lines={6} />
  if (media.isError && !media.data) {
    const gone = media.error instanceof ApiError && media.error.status === 404
    return gone ? (
      <EmptyState title="This media could not be found." action={library} />
    ) : (
      <ErrorState
        title="This media could not be loaded"
        error={media.error}
        onRetry={() => void media.refetch()}
      />
    )
  }
  const operator = person.role === 'superadmin'
  if (media.data.creatorId === person._id) {
    return <EditMediaForm media={media.data} sells={person.isCreator} operator={operator} />
  }
  if (!operator) return <EmptyState title={errors.not_owner[1]} action={library} />
  return (
    <div className={styles.columns}>
      <div className={styles.side}>
        <Preview media={media.data} />
        <div className={styles.about}>
          <p className={styles.title}>{nameOf(media.data)}</p>
          <p className={styles.by}>by {media.data.username}</p>
        </div>
        <LinkButton to={paths.media(mediaId)} variant="default">
          View Media
        </LinkButton>
      </div>
      <UnlockForFan mediaId={mediaId} />
    </div>
  )
}
