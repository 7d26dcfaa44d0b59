/** The front door; headline and lead stand in the document as well (`client/build/first-look.ts`). */
export const landingTexts = {
  headline: ['Your work.', 'Your fans.', 'Paid directly.'],
  lead: 'Sell subscriptions, bundles, and singles, and bring in fans from the communities that fit. We handle the tedious part.',
  dashboard: 'Go to your dashboard',
  start: 'Get Started',
  haveAccount: 'Already have an account?',
  logIn: 'Log in',
  reasons: 'Promotion without the busywork',
  search: 'Subreddit search',
  searchHint:
    'Find the communities that fit your work by tags, size, and rules before you write a single title.',
  order: 'Random posting order',
  orderHint: 'Your posts and communities are shuffled, so no feed sees the same photo twice in a row.',
  scheduling: 'Scheduling',
  schedulingHint:
    'Fill the queue once a week. Each post goes out on your schedule and within each community’s limits.',
  verification: 'Verification tracking',
  verificationHint:
    'See at a glance where you’re verified, what’s pending, and what a community still needs from you.',
  payment: 'Direct payment',
  paymentHint:
    'Fans pay by card for your subscriptions, bundles, and singles. You see every sale on one page.',
  fans: 'Just here to browse?',
  fansHint:
    'Browse what creators share, follow the ones you like, and keep everything you buy in one place. You always see the full price before you pay.',
  browse: 'Browse All Content',
  newest: 'New from creators',
} as const

/** The drawing of a creator’s day. */
export const workdayTexts = {
  label: 'An example of a creator’s day: four scheduled posts and three sales',
  day: 'Thursday',
  verified: 'Verified in 12',
  portraits: 'Portraits',
  video: 'Video photography',
  evening: 'Evening light',
  mornings: 'Slow mornings',
  posted: 'Posted',
  next: 'Next',
  queued: 'Queued',
  subscription: 'Monthly subscription',
  bundle: 'Bundle, 24 photos and 3 videos',
  single: 'Single video, 4:10',
  sold: 'Sold today',
} as const
