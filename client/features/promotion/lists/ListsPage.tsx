import { IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { isFound, type ListInShort, listsQuery, mayEdit, useDeleteList } from './api.ts'
import { ListInRow } from './ListInRow.tsx'
import styles from './lists.module.css'
import { NewListForm } from './NewListForm.tsx'
import { listTexts as texts } from './texts.ts'

/** The person’s lists of subreddits with the site-wide ones, and the form for another. */
export function Component() {
  const lists = useQuery(listsQuery)
  const me = useCurrentUser()
  const [deleting, setDeleting] = useState<ListInShort | null>(null)
  const remove = useDeleteList()
  const [search, setSearch] = useState('')
  const all = lists.data?.items ?? []
  const shown = all.filter((list) => isFound(list, search))
  return (
    <Page title={texts.title} lead={texts.lead} width="text">
      <NewListForm known={lists.data?.items ?? []} />
      <Section title={texts.lists}>
        {lists.isPending && <SkeletonLines lines={6} />}
        {!lists.data && lists.error && (
          <ErrorState title={texts.failed} error={lists.error} onRetry={() => void lists.refetch()} />
        )}
        {all.length > 1 && (
          <SearchBox
            label={texts.search}
            placeholder={texts.searchHint}
            maxLength={60}
            value={search}
            onChange={setSearch}
          />
        )}
        {all.length > 0 && shown.length === 0 && (
          <p className={styles.quiet} role="status">
            {texts.noResults(search)}
          </p>
        )}
        {lists.data?.items.length === 0 && (
          <EmptyState Icon={IconList} title={texts.emptyTitle}>
            {texts.empty}
          </EmptyState>
        )}
        <ul className={styles.list} aria-label={texts.lists}>
          {shown.map((list) => {
            const { _id, title } = list
            const isEditable = mayEdit(me, list)
            return (
              <ListInRow key={_id} list={list}>
                <LinkButton
                  variant="default"
                  size="sm"
                  to={promotionPaths.editList(_id)}
                  aria-label={isEditable ? texts.editOf(title) : texts.viewOf(title)}
                >
                  {isEditable ? texts.edit : texts.view}
                </LinkButton>
                {isEditable && (
                  <Button
                    variant="subtle"
                    size="sm"
                    aria-label={texts.deleteOf(title)}
                    onClick={() => setDeleting(list)}
                  >
                    {texts.delete}
                  </Button>
                )}
              </ListInRow>
            )
          })}
        </ul>
      </Section>
      <ConfirmDialog
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.deleteTitle(deleting?.title ?? '')}
        confirmLabel={texts.delete}
        destructive
        onConfirm={async () => {
          if (deleting) await remove.mutateAsync(deleting._id)
          toast.success(texts.deleted)
        }}
      >
        <p>{deleting?.siteWide ? texts.deleteSiteWide : texts.deleteEffect}</p>
      </ConfirmDialog>
    </Page>
  )
}
