/** The places of a creator’s and an operator’s work. */
export const sectionsTexts = {
  label: 'Your work',
  home: 'Home',
  messages: 'Messages',
  promotion: 'Promotion',
  admin: 'Admin',
  library: 'Library',
  shop: 'Shop',
  earnings: 'Earnings',
} as const

/** The pages of these places, in the hub and beside every page of their place. */
export const sectionPageTexts = {
  manage: 'Manage media',
  upload: 'Upload media',
  uploadOne: 'Upload one file',
  gif: 'Add an external GIF',
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

/** The operators’ pages. */
export const adminPageTexts = {
  payments: 'Payments',
  disputes: 'Disputes',
  settlements: 'Settled batches',
  payouts: 'Payouts',
  books: 'Books',
  messageReports: 'Reported messages',
  searchFans: 'Search fans',
  subredditProgram: 'Subreddit program',
  subreddits: 'Manage subreddits',
  metadata: 'Media metadata',
  regions: 'Restricted regions',
  ages: 'Age approvals',
  unlocks: 'Unlock media',
  audit: 'Audit log',
} as const
