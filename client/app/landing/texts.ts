/** The front door; headline and lead stand in the document as well (`client/build/first-look.ts`). */
export const landingTexts = {
  headline: ['Your work.', 'Your fans.', 'Paid directly.'],
  lead: 'Sell subscriptions, bundles, and single photos and videos. You set the price, fans pay by card, and every sale is on one page.',
  start: 'Get Started',
  haveAccount: 'Already have an account?',
  logIn: 'Log in',
  /** Why to sell here. */
  selling: {
    heading: 'Everything you sell, in one place',
    reasons: [
      {
        title: 'Subscriptions',
        text: 'Fans subscribe for a month or longer and see everything you put in as long as they do.',
      },
      {
        title: 'Bundles and singles',
        text: 'Sell a set at one price, or one photo or video by itself. Buyers keep what they bought.',
      },
      {
        title: 'Private until you say so',
        text: 'Every upload is private until you choose who sees it. No one gets a locked file without paying.',
      },
    ],
  },
  payment: {
    title: 'Direct payment',
    text: 'Fans pay by card for your subscriptions, bundles, and singles. You see every sale on one page.',
  },
  fans: 'Just here to browse?',
  fansHint:
    'Browse what creators share, follow the ones you like, and keep everything you buy in one place. You always see the full price before you pay.',
  browse: 'Browse All Content',
  newest: 'New from creators',
} as const

/** For somebody who is logged in. */
export const welcomeTexts = {
  title: (firstName: string) => `Welcome back, ${firstName}`,
  dashboard: 'Go to your dashboard',
  today: 'Today',
  sold: (share: string, sales: string) => `${share} from ${sales}`,
  nothingSold: 'no sales yet',
  todayFailed: 'We couldn’t load today’s sales',
  fresh: 'New for you',
  allFresh: 'See everything new',
  freshFailed: 'We couldn’t load what’s new',
  popular: 'Popular now',
  popularFailed: 'We couldn’t load what’s popular',
  browse: 'Browse All Content',
} as const

/** The drawing of a creator’s day. */
export const workdayTexts = {
  label: 'An example of a creator’s day: three sales',
  day: 'Thursday',
  subscription: 'Monthly subscription',
  bundle: 'Bundle, 24 photos and 3 videos',
  single: 'Single video, 4:10',
  sold: 'Sold today',
} as const

/** Why to promote here, in place of why to sell here where there is promotion. */
export const promotionTexts = {
  heading: 'Promotion without the busywork',
  reasons: [
    {
      title: 'Subreddit search',
      text: 'Find the communities that fit your work by tags, size, and rules before you write a single title.',
    },
    {
      title: 'Random posting order',
      text: 'Your posts and communities are shuffled, so no feed sees the same photo twice in a row.',
    },
    {
      title: 'Scheduling',
      text: 'Fill the queue once a week. Each post goes out on your schedule and within each community’s limits.',
    },
    {
      title: 'Verification tracking',
      text: 'See at a glance where you’re verified, what’s pending, and what a community still needs from you.',
    },
  ],
} as const

/** Scheduled posts in the drawing, where there is promotion. */
export const postsTexts = {
  label: 'An example of a creator’s day: four scheduled posts and three sales',
  verified: 'Verified in 12',
  portraits: 'Portraits',
  video: 'Video photography',
  evening: 'Evening light',
  mornings: 'Slow mornings',
  posted: 'Posted',
  next: 'Next',
  queued: 'Queued',
} as const
