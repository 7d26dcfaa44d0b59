import { IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ListInShort, listsQuery, useDeleteList } from './api.ts'
import { ListTable } from './ListTable.tsx'
import { NewListForm } from './NewListForm.tsx'
import { listTexts as texts } from './texts.ts'

/** The person’s lists of subreddits with the site-wide ones, and the form for another. */
export function Component() {
  const lists = useQuery(listsQuery)
  const [deleting, setDeleting] = useState<readonly ListInShort[]>([])
  const remove = useDeleteList()
  return (
    <Page title={texts.title} lead={texts.lead}>
      <NewListForm known={lists.data?.items ?? []} />
      <Section title={texts.lists}>
        {lists.isPending && <SkeletonLines lines={6} />}
        {!lists.data && lists.error && (
          <ErrorState title={texts.failed} error={lists.error} onRetry={() => void lists.refetch()} />
        )}
        {lists.data?.items.length === 0 && (
          <EmptyState Icon={IconList} title={texts.emptyTitle}>
            {texts.empty}
          </EmptyState>
        )}
        {lists.data && lists.data.items.length > 0 && (
          <ListTable lists={lists.data.items} onDelete={setDeleting} />
        )}
      </Section>
      <ConfirmDialog
        opened={deleting.length > 0}
        onClose={() => setDeleting([])}
        title={texts.deleteTitle(deleting.map(({ title }) => title))}
        confirmLabel={texts.delete}
        destructive
        onConfirm={async () => {
          for (const { _id } of deleting) await remove.mutateAsync(_id)
          toast.success(texts.deleted(deleting.length))
        }}
      >
        <p>{deleting.some(({ siteWide }) => siteWide) ? texts.deleteSiteWide : texts.deleteEffect}</p>
      </ConfirmDialog>
    </Page>
  )
}
