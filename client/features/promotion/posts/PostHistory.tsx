import { Card } from '../../../ui/Card.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { formatDate } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { historyQuery } from './api.ts'
import styles from './posts.module.css'
import { postTexts as texts } from './texts.ts'

/** Where a post went up already, and others of the same picture or link, with what became of each. */
export function PostHistory({ postId }: { postId: string }) {
  const list = useList(historyQuery(postId))
  return (
    <Card>
      <section aria-labelledby="history">
        <h2 id="history" className={styles.heading}>
          {texts.history}
        </h2>
        <GrowingList
          list={list}
          byButton
          failed={texts.historyFailed}
          waiting={<SkeletonLines lines={4} />}
          empty={<p className={styles.quiet}>{texts.historyEmpty}</p>}
        >
          <p className={styles.quiet}>{texts.historyHint}</p>
          <ul>
            {list.items.map(({ _id, subreddit, title, postedTime, permalink, ...posting }) => (
              <li key={_id} className={styles.posting}>
                <p>
                  {permalink ? (
                    <ExternalLink to={permalink} label={texts.openPosting(subreddit)}>
                      <b>r/{subreddit}</b>
                    </ExternalLink>
                  ) : (
                    <b>r/{subreddit}</b>
                  )}
                </p>
                <p>{title}</p>
                <p className={styles.quiet}>
                  {[
                    formatDate(postedTime),
                    ...(posting.account ? [`u/${posting.account}`] : []),
                    ...(posting.score === null ? [] : [texts.points(posting.score)]),
                    ...(posting.ofOtherPost ? [texts.otherPost] : []),
                  ].join('\u00a0· ')}{' '}
                  {posting.takenDownAt ? (
                    <Tag>{texts.takenDown}</Tag>
                  ) : (
                    posting.removedBy && (
                      <Tag tone="bad">
                        {posting.removedBy === 'deleted' ? texts.deletedThere : texts.removedThere}
                      </Tag>
                    )
                  )}
                </p>
              </li>
            ))}
          </ul>
        </GrowingList>
      </section>
    </Card>
  )
}
