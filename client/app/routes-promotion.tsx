import { Outlet } from 'react-router'
import { ReconnectNotice } from '../features/promotion/parts/ReconnectNotice.tsx'
import { paths } from '../lib/paths.ts'
import type { PageRoute } from './page-route.ts'

const user = { who: 'user', to: paths.login, keepPath: true } as const
const creator = { ...user, who: 'creatorOnly' } as const

/** Around every page of promotion: what all of them have to say. */
export function PromotionScope() {
  return (
    <>
      <ReconnectNotice />
      <Outlet />
    </>
  )
}

/** The pages of promotion on the forum (docs/product.md, Promotion). */
export const promotionRoutes: readonly PageRoute[] = [
  {
    path: '/tokenconfirmation',
    title: 'Connect a forum account',
    guard: creator,
    load: () => import('../features/promotion/accounts/TokenConfirmationPage.tsx'),
  },
  {
    path: '/dashboard/reddit',
    title: 'Forum accounts',
    guard: creator,
    load: () => import('../features/promotion/accounts/AccountsPage.tsx'),
  },
  {
    path: '/dashboard/createredditpost',
    title: 'Create a post',
    guard: creator,
    load: () => import('../features/promotion/posts/CreatePostPage.tsx'),
  },
  {
    path: '/dashboard/redditposts',
    title: 'Posts',
    guard: user,
    load: () => import('../features/promotion/posts/PostsPage.tsx'),
  },
  {
    path: '/dashboard/scheduleposts',
    title: 'Schedule posts',
    guard: user,
    load: () => import('../features/promotion/schedule/SchedulePage.tsx'),
  },
  {
    path: '/dashboard/plan',
    title: 'Plan a batch',
    guard: creator,
    load: () => import('../features/promotion/plan/PlanPage.tsx'),
  },
  {
    path: '/dashboard/postingslots',
    title: 'Recurring slots',
    guard: creator,
    load: () => import('../features/promotion/slots/SlotsPage.tsx'),
  },
  {
    path: '/dashboard/timeline',
    title: 'Timeline',
    guard: user,
    load: () => import('../features/promotion/timeline/TimelinePage.tsx'),
  },
  {
    path: '/dashboard/edit/post/:redditPostId',
    title: 'Edit post',
    guard: creator,
    load: () => import('../features/promotion/posts/EditPostPage.tsx'),
  },
  {
    path: '/dashboard/findsubreddits/:redditPostId',
    title: 'Choose subreddits',
    guard: creator,
    load: () => import('../features/promotion/picker/PickerPage.tsx'),
  },
  {
    path: '/dashboard/redditchats',
    title: 'Forum inbox',
    guard: user,
    load: () => import('../features/promotion/inbox/InboxPage.tsx'),
  },
  {
    path: '/dashboard/postearnings',
    title: 'What posts earned',
    guard: creator,
    load: () => import('../features/promotion/earnings/PostEarningsPage.tsx'),
  },
  {
    path: '/dashboard/mysubredditprogress',
    title: 'Verification progress',
    guard: creator,
    load: () => import('../features/promotion/verification/ProgressPage.tsx'),
  },
  {
    path: '/editusersrinfo/:subreddit',
    title: 'Verification',
    guard: user,
    load: () => import('../features/promotion/verification/RecordPage.tsx'),
  },
  {
    path: '/dashboard/subredditlists',
    title: 'Subreddit lists',
    guard: user,
    load: () => import('../features/promotion/lists/ListsPage.tsx'),
  },
  {
    path: '/dashboard/edit/srlist/:listId',
    title: 'Edit list',
    guard: user,
    load: () => import('../features/promotion/lists/EditListPage.tsx'),
  },
  {
    path: '/dashboard/managesubreddits',
    title: 'Manage subreddits',
    guard: { ...user, who: { anyOf: ['subreddits.edit'] } },
    load: () => import('../features/promotion/subreddits/ManagePage.tsx'),
  },
  {
    path: '/editsrinfo/:subreddit',
    title: 'Subreddit',
    guard: user,
    load: () => import('../features/promotion/subreddits/SubredditPage.tsx'),
  },
]
