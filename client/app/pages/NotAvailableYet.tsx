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
  '/users/:username/offers/:offerId': 'Redeem an offer that a creator made to you.',
  '/customs': 'Requests that fans send and creators answer.',
  '/searchfans': 'All fans, with their subscriptions.',
  '/tokenconfirmation': 'The way back from the forum after you connected your account.',
  '/editsrinfo/:subreddit': 'What a subreddit asks of those who post there.',
  '/editusersrinfo/:subreddit': 'How far your verification in a subreddit is.',
  '/dashboard/fans': 'Your subscribers, with tools to extend their time.',
  '/dashboard/offers': 'Free trials and discounts that you make to your fans.',
  '/dashboard/sharedrefs': 'Codes whose commission you split with others.',
  '/dashboard/chats': 'Your conversations with fans and creators.',
  '/dashboard/chat/:recipientId': 'Write to each other, with pictures and videos.',
  '/dashboard/createredditpost': 'A link, several titles and a comment, ready to be posted.',
  '/dashboard/redditposts': 'Posts you prepared for the forum.',
  '/dashboard/edit/post/:redditPostId': 'Link, titles and comment of a post.',
  '/dashboard/findsubreddits/:redditPostId': 'Choose where a post belongs.',
  '/dashboard/scheduleposts': 'Posts that are ready, in random order, with a title and a time.',
  '/dashboard/timeline': 'What is posted where, and when.',
  '/dashboard/mysubredditprogress': 'How far you are with each subreddit.',
  '/dashboard/subredditlists': 'Your own lists of subreddits.',
  '/dashboard/edit/srlist/:listId': 'What belongs to this list.',
  '/dashboard/redditchats': 'Forum messages, one after the other.',
  '/dashboard/managesubreddits': 'Rules and notes of all tracked subreddits.',
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
        We are still building this page. Everything else works as usual.
      </EmptyState>
    </Page>
  )
}
