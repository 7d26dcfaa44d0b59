import { IconHeart } from '@tabler/icons-react'
import { useFollowingQuery } from '../../features/profiles/api.ts'
import { FollowButton } from '../../features/profiles/FollowButton.tsx'
import { PeopleList } from '../../features/profiles/people/PeopleList.tsx'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

/** Whom one follows, newest first (docs/product.md, Pages). */
export function Component() {
  return (
    <Page title="Following" lead="The people you follow, newest first." width="text">
      <PeopleList
        label="Following"
        query={useFollowingQuery()}
        action={(person) => <FollowButton creatorId={person._id} />}
        empty={
          <EmptyState
            Icon={IconHeart}
            title="You follow nobody yet"
            action={<LinkButton to={paths.discover}>Find creators</LinkButton>}
          >
            Whom you follow is listed here, one tap away.
          </EmptyState>
        }
      />
    </Page>
  )
}
