import { IconEyeOff, IconPencilPlus, IconPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { NotConnected } from '../parts/NotConnected.tsx'
import { type PostOrder, postsQuery } from './api.ts'
import { PostRow } from './PostRow.tsx'
import styles from './posts.module.css'
import { postsTexts as texts } from './texts.ts'

type Sort = keyof typeof texts.sorts
const SORTS = Object.keys(texts.sorts) as Sort[]

/** The person’s posts, hidden ones or the others, in the order that stands in the address. */
export function Component() {
  const [address, change] = useAddress()
  const sort = SORTS.find((one) => one === address.get('sort')) ?? 'createdAt desc'
  const hidden = address.get('show') === 'hidden'
  const [sortBy, sortOrder] = sort.split(' ') as [PostOrder['sortBy'], PostOrder['sortOrder']]
  const list = useList({ ...postsQuery({ hidden, sortBy, sortOrder }), placeholderData: keepPreviousData })
  const { forumConnected, isCreator } = useCurrentUser()
  const set = (name: string, value: string, usual: string) => change({ [name]: value === usual ? '' : value })
  const create = isCreator && (
    <LinkButton to={promotionPaths.createPost} leftSection={<IconPlus size={16} aria-hidden />}>
      {texts.create}
    </LinkButton>
  )
  return (
    <Page title={texts.title} lead={texts.lead} action={create}>
      {!forumConnected && (
        <div className={styles.prompt}>
          <NotConnected />
        </div>
      )}
      <div className={styles.tools}>
        <FilterButtons
          label={texts.shown}
          choices={[
            { value: 'visible', label: texts.visible },
            { value: 'hidden', label: texts.hidden },
          ]}
          value={hidden ? 'hidden' : 'visible'}
          onChange={(value) => set('show', value, 'visible')}
        />
        <SelectField
          label={texts.sort}
          value={sort}
          onChange={(value) => set('sort', value, 'createdAt desc')}
          choices={SORTS.map((value) => ({ value, label: texts.sorts[value] }))}
        />
      </div>
      <GrowingList
        list={list}
        byButton
        failed={texts.failed}
        waiting={<SkeletonLines lines={6} />}
        empty={
          hidden ? (
            <EmptyState Icon={IconEyeOff} title={texts.noneHidden}>
              {texts.noneHiddenHint}
            </EmptyState>
          ) : (
            <EmptyState Icon={IconPencilPlus} title={texts.emptyTitle} action={create}>
              {texts.empty}
            </EmptyState>
          )
        }
      >
        <ul className={styles.posts} aria-label={texts.list}>
          {list.items.map((post) => (
            <PostRow key={post._id} post={post} hidden={hidden} />
          ))}
        </ul>
      </GrowingList>
    </Page>
  )
}
