import { IconPencilPlus, IconPlus } from '@tabler/icons-react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { ConnectPrompt } from '../parts/ConnectPrompt.tsx'
import { postsQuery } from './api.ts'
import styles from './posts.module.css'
import { postsTexts as texts } from './texts.ts'

/** The person’s posts, each with the way to its subreddits. */
export function Component() {
  const list = useList(postsQuery)
  const { forumConnected } = useCurrentUser()
  const create = (
    <LinkButton to={promotionPaths.createPost} leftSection={<IconPlus size={16} aria-hidden />}>
      {texts.create}
    </LinkButton>
  )
  return (
    <Page title={texts.title} lead={texts.lead} width="text" action={create}>
      {!forumConnected && <ConnectPrompt />}
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={6} />}
        empty={
          <EmptyState Icon={IconPencilPlus} title={texts.emptyTitle} action={create}>
            {texts.empty}
          </EmptyState>
        }
      >
        <ul className={styles.posts} aria-label={texts.list}>
          {list.items.map(({ _id, title, createdAt, usableSubredditsCount }) => (
            <li key={_id} className={styles.post}>
              <div className={styles.words}>
                <p className={styles.name}>{title}</p>
                <p className={styles.quiet}>
                  {texts.count(usableSubredditsCount)} · {texts.created(createdAt)}
                </p>
              </div>
              <div className={styles.actions}>
                <LinkButton
                  to={promotionPaths.findSubreddits(_id)}
                  variant="default"
                  size="sm"
                  aria-label={texts.chooseOf(title)}
                >
                  {texts.choose}
                </LinkButton>
                <LinkButton
                  to={promotionPaths.editPost(_id)}
                  variant="subtle"
                  size="sm"
                  aria-label={texts.editOf(title)}
                >
                  {texts.edit}
                </LinkButton>
              </div>
            </li>
          ))}
        </ul>
      </GrowingList>
    </Page>
  )
}
