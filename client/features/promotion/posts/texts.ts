import { formatCount, formatDate } from '../../../ui/format.ts'

/** A post for the forum. */
export const postTexts = {
  createTitle: 'Create a post',
  createLead: 'Write it once, then choose the subreddits that it suits.',
  editTitle: 'Edit post',
  editLead: 'Changes apply to what you post from now on.',
  link: 'Link',
  linkHint: 'A RedGifs link or ID',
  address: 'Posts this embed:',
  notFound: 'There’s no RedGifs ID in this.',
  titles: 'Titles',
  titlesHint: 'Write a few. You choose one for each subreddit.',
  titleOf: (place: number) => `Title ${place}`,
  addTitle: 'Add a title',
  removeTitle: (place: number) => `Remove title ${place}`,
  titleUp: (place: number) => `Move title ${place} up`,
  comment: 'Comment',
  commentHint: 'Posted as the first comment. Leave it empty for none.',
  create: 'Choose subreddits',
  save: 'Save',
  /** The specification’s, to the letter. */
  updated: 'Updated Post!',
  lost: 'This post isn’t saved and will be lost.',
  lostChanges: 'Your changes to this post aren’t saved and will be lost.',
  failed: 'We couldn’t load this post',
  choose: 'Choose subreddits',
} as const

/** All posts. */
export const postsTexts = {
  title: 'Posts',
  lead: 'What you post on the forum, and where.',
  create: 'Create a post',
  list: 'Your posts',
  failed: 'We couldn’t load your posts',
  emptyTitle: 'No posts yet',
  empty: 'A post is a RedGifs link, a few titles, and the subreddits that suit it.',
  created: (moment: string) => `Created ${formatDate(moment)}`,
  count: (count: number) => (count === 0 ? 'No subreddits yet' : formatCount(count, 'subreddit')),
  choose: 'Choose subreddits',
  chooseOf: (title: string) => `Choose subreddits for “${title}”`,
  edit: 'Edit',
  editOf: (title: string) => `Edit “${title}”`,
} as const
