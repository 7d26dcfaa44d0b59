import { useInfiniteQuery } from '@tanstack/react-query'
import { may, useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Hidden } from '../../../ui/Hidden.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { ForumFailure } from '../parts/ForumFailure.tsx'
import { statusLabel } from '../parts/label-texts.ts'
import { useForum } from '../parts/use-forum.ts'
import { forumQuery } from './api.ts'
import { PlaceButtons } from './PlaceButtons.tsx'
import styles from './picker.module.css'
import { pickerTexts as texts } from './texts.ts'
import type { useChoices } from './use-choices.ts'

type ForumResultsProps = {
  search: string
  picking: ReturnType<typeof useChoices>
  onShow: (name: string) => void
}

/** The results of the forum’s own search, growing by ten; duplicates are shown once. */
export function ForumResults({ search, picking, onShow }: ForumResultsProps) {
  const showsKnown = may(useCurrentUser(), 'subreddits.edit')
  const found = useInfiniteQuery(forumQuery(search))
  const all = found.data?.pages.flatMap(({ subreddits }) => subreddits) ?? []
  const once = [...new Map(all.map((one) => [one.name.toLowerCase(), one])).values()]
  const shown = once.filter(({ removedFromSearch }) => !removedFromSearch)
  const hidden = once.length - shown.length
  const { name: forum } = useForum()
  if (search === '') return <p className={styles.quiet}>{texts.searchFirst(forum)}</p>
  return (
    <div className={styles.scroll}>
      <p className={styles.quiet} role="status">
        {found.isSuccess && once.length > 0 && texts.results(shown.length, found.hasNextPage)}
        {found.isSuccess && once.length === 0 && <Hidden>{texts.emptyTitle}</Hidden>}
      </p>
      {found.isPending && <SkeletonLines lines={8} />}
      {found.isSuccess && once.length === 0 && (
        <EmptyState title={texts.emptyTitle}>{texts.emptyForum}</EmptyState>
      )}
      <ul className={styles.results} aria-label={texts.all}>
        {shown.map(({ name, subscribers, description, isPrivate, known, verificationType, status }) => (
          <li key={name} className={styles.result}>
            <div className={styles.words}>
              <p className={styles.line}>
                <button type="button" className={styles.name} onClick={() => onShow(name)}>
                  r/{name}
                </button>
                {showsKnown && known && <Tag tone="good">{texts.known}</Tag>}
                {isPrivate && <Tag>{texts.isPrivate}</Tag>}
                {status && <Tag tone={status === 'done' ? 'good' : 'neutral'}>{statusLabel[status]}</Tag>}
                {verificationType === 'required' && status !== 'done' && (
                  <Tag>{texts.verificationRequired}</Tag>
                )}
              </p>
              <p className={styles.quiet}>
                {[subscribers === null ? null : texts.subscribers(subscribers), description]
                  .filter(Boolean)
                  .join('\u00a0· ')}
              </p>
            </div>
            <PlaceButtons name={name} picking={picking} />
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className={styles.quiet}>{texts.removed(hidden)}</p>}
      {found.error && (
        <>
          <ForumFailure error={found.error} />
          <Button
            variant="default"
            size="sm"
            onClick={() => void (found.isFetchNextPageError ? found.fetchNextPage() : found.refetch())}
          >
            {texts.tryAgain}
          </Button>
        </>
      )}
      {found.hasNextPage && !found.error && (
        <Button
          variant="default"
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
      {found.isSuccess && !found.hasNextPage && once.length > 0 && (
        <p className={styles.quiet}>{texts.end(forum)}</p>
      )}
    </div>
  )
}
