/** The box with the person’s own referral link. */
export const affiliateTexts = {
  title: 'Refer people, earn 7%',
  about: 'Earn a commission on what people buy or sell after they sign up through your link.',
  how: 'How it works',
  link: 'Your referral link',
} as const

/** The sections of the hub. */
export const hubTexts = {
  admin: 'Admin Stuff',
  profile: 'Profile Management',
  finance: 'Finance',
  search: 'Search',
  regions: 'Restricted regions',
  regionsHint: 'And manual age approvals',
  payouts: 'Payouts',
  payoutsHint: 'Requests, the bank, what was paid',
  metadata: 'Media metadata',
  metadataHint: 'Types and durations',
  premiumContent: 'Your shop',
  premiumContentHint: 'Subscriptions, bundles, singles',
  upload: 'Upload media',
  uploadHint: 'Several files at once',
  uploadOne: 'Upload one file',
  uploadOneHint: 'For large videos',
  manage: 'Manage media',
  manageHint: 'Titles, prices, visibility',
  gif: 'Add an external gif',
  gifHint: 'Hosted on RedGifs',
  edit: 'Edit profile',
  editHint: 'Name, photos, links',
  privacy: 'Privacy',
  privacyHint: 'Blocks, your data, your account',
  security: 'Security',
  securityHint: 'Password, email, two-factor',
  following: 'Following',
  followingHint: 'Creators you follow',
  earnings: 'Earnings',
  earningsHint: 'Gross, fee, and share of each sale',
  purchases: 'Purchases',
  purchasesHint: 'Everything you paid for',
  billing: 'Billing',
  billingHint: 'Subscriptions and receipts',
  browse: 'Browse All Content',
  browseHint: 'From all creators',
  people: 'Search people',
  peopleHint: 'By username',
} as const

/** What a creator may do next. */
export const nextStepsTexts = {
  label: 'What’s next',
  loadFailed: 'We couldn’t load your next steps',
  setUp: 'Finish setting up',
  keepGoing: 'Keep it going',
  picture: 'Add a profile photo',
  pictureWhy: 'Fans look for a face first.',
  upload: 'Upload your first media',
  uploadWhy: 'Nothing is public until you say so.',
  price: 'Set your first price',
  priceWhy: 'A monthly subscription, a bundle, or a single.',
  uploadMore: 'Upload something new',
  uploadMoreWhy: 'Followers see it first.',
  review: 'Review what you sell',
  reviewWhy: 'Titles, prices, and contents.',
  asFan: 'See your profile as fans do',
  asFanWhy: 'Then share the link.',
  done: 'Done',
  toDo: 'To do',
} as const

/** What a creator sold. */
export const salesTexts = {
  label: 'Recent sales',
  loadFailed: 'We couldn’t load your earnings',
  today: 'Today',
  noneToday: 'no sales yet',
  soldToday: (share: string, sales: string) => `${share} from ${sales}`,
  soFar: 'Your share so far',
  gross: 'Gross',
  fee: 'Fee',
  share: 'Share',
  none: 'No sales yet. They’ll show up here as soon as they happen.',
  all: 'All earnings',
} as const

/** What the home of fans and operators says. */
export const homeTexts = {
  fresh: 'New for you',
  list: 'New photos and videos',
  yourContent: 'Your Content',
  nothingTitle: 'Follow creators to see what’s new',
  nothing: 'New photos and videos from creators you follow or subscribe to appear here.',
  browse: 'Browse All Content',
  toFollow: 'Creators to follow',
  operatorLead: 'You run this site. Your tools come first.',
} as const
