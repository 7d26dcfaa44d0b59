import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { useForum } from '../parts/use-forum.ts'
import { type Post, postQuery } from '../posts/api.ts'
import { ChosenLists } from './ChosenLists.tsx'
import { addressOf, filterOf, type PickerFilter } from './filter.ts'
import { PickerFilters } from './PickerFilters.tsx'
import styles from './picker.module.css'
import { LeftOutNotice, SaveState } from './SaveState.tsx'
import { TrackedTable } from './TrackedTable.tsx'
import { pickerTexts as texts } from './texts.ts'
import { useChoices } from './use-choices.ts'

const ForumResults = lazyPart(() => import('./ForumResults.tsx').then((module) => module.ForumResults))
const SubredditDetails = lazyPart(() =>
  import('../parts/SubredditDetails.tsx').then((module) => module.SubredditDetails),
)

/** Chooses the subreddits of a post, among the tracked ones and all of the forum’s. */
export function Component() {
  const { redditPostId = '' } = useParams()
  // Another tab may have changed it meanwhile.
  const post = useQuery({ ...postQuery(redditPostId), refetchOnWindowFocus: 'always' })
  return (
    <Page
      title={texts.title}
      lead={post.data && texts.lead(post.data.title)}
      back={<BackLink to={promotionPaths.posts}>{texts.posts}</BackLink>}
      action={
        <LinkButton to={promotionPaths.editPost(redditPostId)} variant="default">
          {texts.edit}
        </LinkButton>
      }
    >
      <Fetched query={post} waiting={<SkeletonLines lines={10} />} failed={texts.failed}>
        {(data) => <Picker key={data._id} post={data} />}
      </Fetched>
    </Page>
  )
}

function Picker({ post }: { post: Post }) {
  const [address, change, asked] = useAddress()
  const forum = useForum()
  const within = (filter: PickerFilter) =>
    forum.available ? filter : { ...filter, among: 'tracked' as const }
  const filter = within(filterOf(address))
  const [shown, setShown] = useState<string | null>(null)
  const picking = useChoices(post)

  const narrow = (to: Partial<PickerFilter>, options: { replace?: boolean } = {}) =>
    change((before) => addressOf({ ...filterOf(before), ...to }), options)
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <SaveState picking={picking} />
        <LeftOutNotice picking={picking} />
        {forum.available ? (
          <FilterButtons
            label={texts.searchIn}
            choices={[
              { value: 'tracked', label: texts.tracked },
              { value: 'all', label: texts.all },
            ]}
            value={filter.among}
            onChange={(among) => narrow({ among })}
          />
        ) : (
          <p className={styles.quiet}>{texts.noForum(forum.name)}</p>
        )}
        <PickerFilters filter={within(filterOf(asked))} onChange={narrow} />
        {filter.among === 'tracked' ? (
          <TrackedTable
            filter={filter}
            onSort={(sortBy) => narrow({ sortBy })}
            picking={picking}
            onShow={setShown}
          />
        ) : (
          <ForumResults search={filter.search} picking={picking} onShow={setShown} />
        )}
      </div>
      <div className={styles.side}>
        <ChosenLists postId={post._id} picking={picking} onShow={setShown} />
      </div>
      <Dialog opened={shown !== null} onClose={() => setShown(null)} title={texts.details(shown ?? '')}>
        {shown && (
          <>
            <p>
              <TextLink to={promotionPaths.subreddit(shown)}>{texts.notes}</TextLink>
            </p>
            <SubredditDetails name={shown} />
          </>
        )}
      </Dialog>
    </div>
  )
}
