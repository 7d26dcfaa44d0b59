import { paths } from '../lib/paths.ts'
import type { PageRoute } from './page-route.ts'

const notAvailableYet = () => import('./pages/NotAvailableYet.tsx')
const user = { who: 'user', to: paths.login, keepPath: true } as const
const creator = { ...user, who: 'creator' } as const
const superadmin = { ...user, who: 'superadmin' } as const

/** The pages under `/dashboard`, for people who are logged in (core §2.1, promotion-tools §2). */
export const dashboardRoutes: readonly PageRoute[] = [
  {
    path: '/dashboard',
    title: 'Dashboard',
    guard: user,
    load: () => import('./dashboard/DashboardPage.tsx'),
  },
  {
    path: '/dashboard/edit',
    title: 'Edit profile',
    about: 'Your name, pictures, links and what fans read about you.',
    guard: { ...user, unverified: true },
    load: notAvailableYet,
  },
  {
    path: '/dashboard/following',
    title: 'Following',
    guard: user,
    load: () => import('./pages/FollowingPage.tsx'),
  },
  {
    path: '/dashboard/fans',
    title: 'Your fans',
    about: 'Your subscribers, with tools to extend their time.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/earnings',
    title: 'Earnings',
    guard: user,
    load: () => import('./pages/EarningsPage.tsx'),
  },
  {
    path: '/dashboard/offers',
    title: 'Offers',
    about: 'Free trials and discounts that you make to your fans.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/how-to-use',
    title: 'How it works',
    guard: { who: 'user', to: paths.howToUse },
    load: () => import('../features/affiliates/HowToUsePage.tsx'),
  },
  {
    path: '/dashboard/sharedrefs',
    title: 'Shared referral codes',
    about: 'Codes whose commission you split with others.',
    guard: user,
    load: notAvailableYet,
  },

  {
    path: '/dashboard/chats',
    title: 'Messages',
    about: 'Your conversations with fans and creators.',
    guard: user,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/chat/:recipientId',
    title: 'Chat',
    about: 'Write to each other, with pictures and videos.',
    guard: { who: 'user', to: paths.signup, keepPath: true },
    load: notAvailableYet,
  },

  {
    path: '/dashboard/premiumcontentmanagement',
    title: 'Premium content',
    guard: creator,
    load: () => import('./pages/PremiumContentManagementPage.tsx'),
  },
  {
    path: '/dashboard/edit/subscription/:subscriptionId',
    title: 'Edit subscription',
    guard: creator,
    load: () => import('./pages/EditSubscriptionPage.tsx'),
  },
  {
    path: '/dashboard/edit/bundle/:bundleId',
    title: 'Edit bundle',
    guard: creator,
    load: () => import('./pages/EditBundlePage.tsx'),
  },
  {
    path: '/dashboard/uploadbulk',
    title: 'Upload media',
    guard: user,
    load: () => import('./pages/UploadBulkPage.tsx'),
  },
  {
    path: '/dashboard/uploadsingle',
    title: 'Upload one file',
    about: 'Send one large file piece by piece.',
    guard: user,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/manage',
    title: 'Manage media',
    guard: user,
    load: () => import('./pages/ManageMediaPage.tsx'),
  },
  {
    path: '/dashboard/edit/media/:mediaId',
    title: 'Edit media',
    guard: user,
    load: () => import('./pages/EditMediaPage.tsx'),
  },
  {
    path: '/dashboard/add/media',
    title: 'Add an external gif',
    about: 'Show a gif that is hosted elsewhere.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/metadata',
    title: 'Media metadata',
    about: 'Titles and tags of all media.',
    guard: superadmin,
    load: notAvailableYet,
  },

  {
    path: '/dashboard/createredditpost',
    title: 'Create a post',
    about: 'A link, several titles and a comment, ready to be posted.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/redditposts',
    title: 'Your posts',
    about: 'Posts you prepared for the forum.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/edit/post/:redditPostId',
    title: 'Edit post',
    about: 'Link, titles and comment of a post.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/findsubreddits/:redditPostId',
    title: 'Find subreddits',
    about: 'Choose where a post belongs.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/scheduleposts',
    title: 'Schedule posts',
    about: 'Posts that are ready, in random order, with a title and a time.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/timeline',
    title: 'Timeline',
    about: 'What is posted where, and when.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/mysubredditprogress',
    title: 'Verification progress',
    about: 'How far you are with each subreddit.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/subredditlists',
    title: 'Subreddit lists',
    about: 'Your own lists of subreddits.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/edit/srlist/:listId',
    title: 'Edit subreddit list',
    about: 'What belongs to this list.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/redditchats',
    title: 'Forum inbox',
    about: 'Forum messages, one after the other.',
    guard: creator,
    load: notAvailableYet,
  },
  {
    path: '/dashboard/managesubreddits',
    title: 'Manage subreddits',
    about: 'Rules and notes of all tracked subreddits.',
    guard: superadmin,
    load: notAvailableYet,
  },
]
