import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { listQuery } from './api.ts'
import { ListEditor } from './ListEditor.tsx'
import styles from './lists.module.css'
import { editorTexts as texts } from './texts.ts'

/** Edits one list, or shows a site-wide one to who may not change it. */
export function Component() {
  const { listId = '' } = useParams()
  const list = useQuery(listQuery(listId))
  return (
    <Page title={list.data?.title ?? texts.title}>
      <p className={styles.back}>
        <TextLink to={promotionPaths.lists}>{texts.back}</TextLink>
      </p>
      {list.isPending && <SkeletonLines lines={6} />}
      {!list.data && list.error && (
        <ErrorState title={texts.failed} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data && <ListEditor key={listId} list={list.data} />}
    </Page>
  )
}
