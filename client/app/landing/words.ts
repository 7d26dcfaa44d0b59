/** The headline of the front door, as the document and the application show it. */
export const landingWords = {
  headline: ['Your work.', 'Your fans.', 'Paid directly.'],
  lead: 'Sell subscriptions, bundles and single photos and videos. You set the price, fans pay by card, and every sale is on one page.',
  /** Why to sell here, and once there is promotion, why to promote here. */
  selling: {
    heading: 'Everything you sell, in one place',
    reasons: [
      {
        title: 'Subscriptions',
        text: 'Fans pay by the month and see everything you put in for as long as they subscribe.',
      },
      {
        title: 'Bundles and singles',
        text: 'Sell a set at one price, or one photo or video by itself. Buyers keep what they bought.',
      },
      {
        title: 'Private until you say so',
        text: 'Every upload is locked until you choose who sees it. Locked files reach nobody who hasn’t paid.',
      },
    ],
  },
  promotion: {
    heading: 'Promotion, without living in it',
    reasons: [
      {
        title: 'Subreddit search',
        text: 'Find the communities that fit your work by tags, size and rules, before you write a single title.',
      },
      {
        title: 'Random posting order',
        text: 'Your posts and communities are mixed, so that no feed sees the same picture twice in a row.',
      },
      {
        title: 'Scheduling',
        text: 'Fill the queue once a week. Each post goes out in your own rhythm and within each community’s limits.',
      },
      {
        title: 'Verification tracking',
        text: 'See at a glance where you are verified, what is pending, and what a community still wants from you.',
      },
    ],
  },
  payment: {
    title: 'Direct payment',
    text: 'Fans pay by card, straight for your subscriptions, bundles and single pieces. Every share is on one page.',
  },
  day: {
    promotion: 'An example of a creator’s day: four scheduled posts and three sales',
    sales: 'An example of a creator’s day: three sales',
  },
} as const
