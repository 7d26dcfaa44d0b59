import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { formatNumber } from '../../../ui/format.ts'
import type { Column } from '../../../ui/table/column.ts'
import { verificationLabel } from '../parts/label-texts.ts'
import styles from '../parts/table.module.css'
import { type SubredditRow, tagsQuery } from './api.ts'
import { manageTexts as texts } from './texts.ts'

/** The columns of the operators’ table. */
export function useColumns(): Column<SubredditRow>[] {
  const tags = useQuery(tagsQuery).data?.items ?? []
  return [
    {
      id: 'name',
      header: texts.columns.name,
      card: 'title',
      cell: ({ name }) => (
        <Link to={promotionPaths.subreddit(name)} className={styles.name}>
          r/{name}
        </Link>
      ),
    },
    {
      id: 'subscribers',
      header: texts.columns.subscribers,
      card: 'value',
      figures: true,
      width: '16%',
      cell: ({ subscribers }) => (
        <span className={styles.figure}>
          {subscribers === null ? texts.unknownSize : formatNumber(subscribers)}
        </span>
      ),
    },
    {
      id: 'verification',
      header: texts.columns.verification,
      card: 'note',
      width: '18%',
      cell: ({ verificationType }) => verificationLabel[verificationType],
    },
    {
      id: 'categorized',
      header: texts.columns.categorized,
      card: 'state',
      width: '16%',
      cell: ({ categorized }) => (
        <span className={styles.state}>{categorized ? texts.isCategorized : texts.notCategorized}</span>
      ),
    },
    {
      id: 'tags',
      header: texts.columns.tags,
      width: '20%',
      cell: ({ srTagIds }) =>
        tags
          .filter(({ _id }) => srTagIds.includes(_id))
          .map(({ name }) => name)
          .join(', '),
    },
  ]
}
