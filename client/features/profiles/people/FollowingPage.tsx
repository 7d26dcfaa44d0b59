import { IconHeart } from '@tabler/icons-react'
import { paths } from '../../../lib/paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { FollowButton } from '../FollowButton.tsx'
import { useFollowingQuery } from './api.ts'
import { PeopleList } from './PeopleList.tsx'
import { peopleTexts as texts } from './texts.ts'

/** The followed creators, newest first (docs/product.md, Pages). */
export function Component() {
  return (
    <Page title={texts.followingTitle} lead={texts.followingLead} width="text">
      <PeopleList
        label={texts.followingTitle}
        query={useFollowingQuery()}
        creatorsOnly
        action={(person) => <FollowButton creatorId={person._id} quiet />}
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
