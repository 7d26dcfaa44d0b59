import type { ChangedPart } from '../../../../../contract/promotion.ts'
import { readableDate, type Templates } from '../rules.ts'

/** Our words for who removed a post, by the forum's. */
const REMOVERS: Record<string, string> = {
  moderator: 'a moderator',
  automod_filtered: 'the subreddit’s automatic filter',
  reddit: 'the forum’s spam filter',
  anti_evil_ops: 'the forum’s safety team',
  community_ops: 'the forum’s staff',
  legal_operations: 'the forum for legal reasons',
  copyright_takedown: 'the forum after a copyright claim',
  user: 'the owner of the profile',
}
/** The changes of a subreddit on the forum. */
const CHANGED: Record<ChangedPart, string> = {
  rules: 'the rules',
  flair: 'the flair',
  requirements: 'the post requirements',
  access: 'who can see it',
}
const LISTED = new Intl.ListFormat('en-US')

/** Emails to creators about their posts and about subreddits. */
export const promotionTemplates = {
  'forum.reconnect': ({ data }) => ({
    subject: 'Connect your forum account again',
    paragraphs: [
      `The forum no longer accepts our connection to ${data.account}. Nothing was lost. Connect it again to keep posting and reading rules.`,
    ],
    action: { label: 'Connect again', path: '/dashboard/reddit' },
  }),
  'verification.reminder': ({ data }) => ({
    subject: `Reminder: get verified in r/${data.subreddit}`,
    paragraphs: [`You asked us to remind you today of your verification in r/${data.subreddit}.`],
    action: { label: 'See your verification', path: `/editusersrinfo/${encodeURIComponent(data.subreddit)}` },
  }),
  'subreddit.changed': ({ data: { subreddit, parts } }) => ({
    subject: `r/${subreddit} changed`,
    paragraphs: [
      `You have a post planned in r/${subreddit}, where ${LISTED.format(parts.map((part) => CHANGED[part]))} changed. Check that your post still fits.`,
    ],
    action: { label: 'See what changed', path: `/editsrinfo/${encodeURIComponent(subreddit)}` },
  }),
  'post.changed': ({ data: { state, subreddit, title, reason, on } }) => ({
    subject: {
      failed: `Your post in r/${subreddit} wasn’t posted`,
      unknown: `We’re not sure about your post in r/${subreddit}`,
      waiting: `Time to post in r/${subreddit}`,
      removed: `Your post in r/${subreddit} was removed`,
      uncommented: `The first comment on your post in r/${subreddit} wasn’t posted`,
      moved: `Your post in r/${subreddit} was moved`,
    }[state],
    paragraphs: [
      {
        failed: `“${title}” wasn’t posted. ${reason ?? ''}`.trim(),
        unknown: `“${title}” may or may not be up. Please check the forum, then update it on your timeline.`,
        waiting: `It’s time for “${title}”. Open it on your timeline, post it, and paste its link.`,
        removed: `“${title}” was taken down by ${REMOVERS[reason ?? ''] ?? 'the forum'}.`,
        uncommented: `“${title}” is up, but its first comment isn’t. ${reason ?? ''}`.trim(),
        moved:
          `It was too soon for “${title}” in r/${subreddit}, so it was moved to ${on ? readableDate(on) : 'a later time'}. ${reason ?? ''}`.trim(),
      }[state],
    ],
    action: { label: 'See your timeline', path: '/dashboard/timeline' },
  }),
} satisfies Templates
