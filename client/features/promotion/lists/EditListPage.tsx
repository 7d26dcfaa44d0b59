import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { listQuery } from './api.ts'
import { ListEditor } from './ListEditor.tsx'
import { editorTexts as texts } from './texts.ts'

/** Edits one list, or shows a site-wide one to who may not change it. */
export function Component() {
  const { listId = '' } = useParams()
  const list = useQuery(listQuery(listId))
  return (
    <Page
      title={list.data?.title ?? texts.title}
      back={<BackLink to={promotionPaths.lists}>{texts.back}</BackLink>}
    >
      <Fetched query={list} waiting={<SkeletonLines lines={6} />} failed={texts.failed}>
        {(data) => <ListEditor key={listId} list={data} />}
      </Fetched>
    </Page>
  )
}
