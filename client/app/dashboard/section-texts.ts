/** The places of a creator’s work. */
export const sectionsTexts = {
  label: 'Your work',
  home: 'Home',
  messages: 'Messages',
  promotion: 'Promotion',
  library: 'Library',
  shop: 'Shop',
  earnings: 'Earnings',
} as const

/** The pages of these places, in the hub and beside every page of their place. */
export const sectionPageTexts = {
  manage: 'Manage media',
  upload: 'Upload media',
  uploadOne: 'Upload one file',
  gif: 'Add an external gif',
  premiumContent: 'Your shop',
  offers: 'Offers',
  fans: 'Fans',
  messages: 'Messages',
  massMessages: 'Mass messages',
  customs: 'Custom requests',
  earnings: 'Earnings',
  referrals: 'Referrals',
  createPost: 'Create a post',
  posts: 'Posts',
  inbox: 'Forum inbox',
  schedule: 'Schedule posts',
  plan: 'Plan a batch',
  slots: 'Recurring slots',
  timeline: 'Timeline',
  postEarnings: 'What posts earned',
  progress: 'Verification progress',
  lists: 'Subreddit lists',
  accounts: 'Forum accounts',
} as const
