import { IconHeart } from '@tabler/icons-react'
import { useFollowingQuery } from '../../features/profiles/api.ts'
import { FollowButton } from '../../features/profiles/FollowButton.tsx'
import { PeopleList } from '../../features/profiles/people/PeopleList.tsx'
import { peopleTexts as texts } from '../../features/profiles/people/texts.ts'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

/** Whom one follows, newest first (docs/product.md, Pages). */
export function Component() {
  return (
    <Page title={texts.followingTitle} lead={texts.followingLead} width="text">
      <PeopleList
        label={texts.followingTitle}
        query={useFollowingQuery()}
        action={(person) => <FollowButton creatorId={person._id} />}
        empty={
          <EmptyState
            Icon={IconHeart}
            title={texts.followNobody}
            action={<LinkButton to={paths.discover}>{texts.findCreators}</LinkButton>}
          >
            {texts.followNobodyHint}
          </EmptyState>
        }
      />
    </Page>
  )
}
