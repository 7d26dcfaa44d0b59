import { IconHourglass } from '@tabler/icons-react'
import { useMatches } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import type { PageRoute } from '../page-route.ts'

/** What each page that is still to come will be for. */
const ABOUT: Record<string, string> = {
  '/users/:username/offers/:offerId': 'Redeem an offer from a creator.',
  '/customs': 'Requests that fans send to creators.',
  '/searchfans': 'All fans and their subscriptions.',
  '/tokenconfirmation': 'Where you land after connecting your forum account.',
  '/editsrinfo/:subreddit': 'What a subreddit requires from people who post there.',
  '/editusersrinfo/:subreddit': 'Your verification status in a subreddit.',
  '/dashboard/fans': 'Your subscribers, with tools to extend their subscriptions.',
  '/dashboard/offers': 'Free trials and discounts for your fans.',
  '/dashboard/sharedrefs': 'Referral codes whose commission you split with others.',
  '/dashboard/chats': 'Your conversations with fans and creators.',
  '/dashboard/chat/:recipientId': 'Send each other messages, photos, and videos.',
  '/dashboard/createredditpost': 'A link, several titles, and a comment, ready to post.',
  '/dashboard/redditposts': 'Your posts for the forum.',
  '/dashboard/edit/post/:redditPostId': 'The link, titles, and comment of a post.',
  '/dashboard/findsubreddits/:redditPostId': 'Choose where to post.',
  '/dashboard/scheduleposts': 'Posts ready to schedule, in random order.',
  '/dashboard/timeline': 'What gets posted where and when.',
  '/dashboard/mysubredditprogress': 'Your verification status in each subreddit.',
  '/dashboard/subredditlists': 'Your own lists of subreddits.',
  '/dashboard/edit/srlist/:listId': 'The subreddits in this list.',
  '/dashboard/redditchats': 'Your forum messages in one inbox.',
  '/dashboard/managesubreddits': 'Rules and notes for all tracked subreddits.',
}

/** A page that has its place but not its content yet: says what will be here and where to go meanwhile. */
export function Component() {
  const { loggedIn } = useSession()
  const route = useMatches().at(-1)?.handle as PageRoute | undefined
  return (
    <Page title={route?.title ?? 'Not available yet'} lead={route && ABOUT[route.path]}>
      <EmptyState
        Icon={IconHourglass}
        title="Not available yet"
        action={
          <>
            <LinkButton to={paths.discover} variant="default">
              Browse All Content
            </LinkButton>
            <LinkButton to={loggedIn ? paths.dashboard : paths.home} variant="default">
              {loggedIn ? 'Go to your dashboard' : 'Go to the home page'}
            </LinkButton>
          </>
        }
      >
        We’re still building this page. Check back later.
      </EmptyState>
    </Page>
  )
}
