import { IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ListInShort, listsQuery, useDeleteList } from './api.ts'
import { ListTable } from './ListTable.tsx'
import styles from './lists.module.css'
import { NewListForm } from './NewListForm.tsx'
import { listTexts as texts } from './texts.ts'

/** The person’s lists of subreddits with the site-wide ones, and the form for another. */
export function Component() {
  const lists = useQuery(listsQuery)
  const [deleting, setDeleting] = useState<readonly ListInShort[]>([])
  const [asking, setAsking] = useState(false)
  const remove = useDeleteList()
  const ask = useCallback((chosen: readonly ListInShort[]) => {
    setDeleting(chosen)
    setAsking(true)
  }, [])
  const deleteAll = async () => {
    let done = 0
    try {
      for (const { _id } of deleting) {
        await remove.mutateAsync(_id)
        done += 1
      }
    } catch (error) {
      // Another try goes on with the rest.
      setDeleting(deleting.slice(done))
      throw error
    } finally {
      if (done > 0) toast.success(texts.deleted(done))
    }
  }
  return (
    <Page title={texts.title} lead={texts.lead}>
      <NewListForm known={lists.data?.items ?? []} />
      <Section title={texts.lists}>
        <Fetched query={lists} waiting={<SkeletonLines lines={6} />} failed={texts.failed}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState Icon={IconList} title={texts.emptyTitle}>
                {texts.empty}
              </EmptyState>
            ) : (
              <ListTable lists={items} onDelete={ask} />
            )
          }
        </Fetched>
      </Section>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.deleteTitle(deleting.map(({ title }) => title))}
        confirmLabel={texts.delete}
        destructive
        onConfirm={deleteAll}
      >
        {deleting.length > 1 && (
          <ul className={styles.titles}>
            {deleting.map(({ _id, title }) => (
              <li key={_id}>{title}</li>
            ))}
          </ul>
        )}
        <p>{deleting.some(({ siteWide }) => siteWide) ? texts.deleteSiteWide : texts.deleteEffect}</p>
      </ConfirmDialog>
    </Page>
  )
}
