/** What each page that is still to come will be for. */
export const aboutTexts: Record<string, string> = {
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

/** What is said around it. */
export const notYetTexts = {
  title: 'Not available yet',
  hint: 'We’re still building this page. Check back later.',
  browse: 'Browse All Content',
  dashboard: 'Go to your dashboard',
  home: 'Go to the home page',
} as const
