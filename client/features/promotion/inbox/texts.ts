import { formatCount, formatDate, formatDateTime, formatNumber } from '../../../ui/format.ts'

/** The forum's inbox. Labels of its tools are fixed wording: docs/product.md. */
export const inboxTexts = {
  title: 'Forum inbox',
  lead: 'Private messages to your forum accounts, the latest first.',
  connect: 'Connect your account to read and answer its messages here, with saved replies and your offers.',
  list: 'Messages',
  search: 'Search messages',
  searchHint: 'Words in a message or reply',
  removeContacted: 'Remove Contacted',
  ignored: 'Ignored',
  check: 'Check for new messages',
  checkAgain: (seconds: number) => `You can check again in ${formatCount(seconds, 'second')}`,
  updated: (when: string) => `Updated ${formatDateTime(when)}`,
  failed: 'We couldn’t load your messages',
  checkFailed: (reason: string) => `We couldn’t check for new messages. ${reason}`,
  emptyTitle: 'No messages yet',
  empty: 'When someone writes to your forum account, their message appears here.',
  reading: 'Reading your messages from the forum…',
  noResultsTitle: 'No messages match',
  noResults: 'Try other words, or turn off Remove Contacted.',
  noIgnoredTitle: 'No one is ignored',
  noIgnored: 'Messages from people you ignore are kept here.',
  unavailable: (forum: string) =>
    `${forum} isn’t showing your messages right now. What you see may be out of date; we’ll keep trying.`,
} as const

/** One thread. */
export const threadTexts = {
  from: 'From',
  authorOf: (author: string) => `u/${author}`,
  newTab: '(opens in a new tab)',
  toAccount: (account: string) => `to u/${account}`,
  received: (seconds: number) => `Received ${formatDateTime(new Date(seconds * 1000))}`,
  lastContact: (when: string) => `Last contact ${formatDate(when)}`,
  noContact: 'Not contacted yet',
  deleted: 'Deleted',
  moderates: (names: readonly string[]) => {
    const shown = names.slice(0, 5).map((name) => `r/${name}`)
    const rest = names.length - shown.length
    return `Moderates ${shown.join(', ')}${rest > 0 ? `, and ${formatNumber(rest)} more` : ''}`
  },
  outOfSync: 'Out of Sync',
  outOfSyncHint: 'This message is no longer in the forum’s inbox, so a reply may not arrive.',
  follows: 'Follows you',
  subscribed: 'Subscribed',
  spent: (amount: string) => `Spent ${amount}`,
  readMore: 'Read more',
  readLess: 'Read less',
  showReplies: (count: number) => `Show replies (${formatCount(count, 'reply', 'replies')})`,
  hideReplies: 'Hide replies',
  replies: (subject: string) => `Replies to “${subject}”`,
  you: (account: string) => `You (u/${account})`,
  at: (seconds: number) => formatDateTime(new Date(seconds * 1000)),
  states: {
    sending: 'Sending…',
    unknown: 'We couldn’t confirm that this was sent. Check the forum before you send it again.',
    failed: (reason: string | null) => `Not sent. ${reason ?? ''}`.trim(),
  },
} as const

/** The actions on a thread. */
export const actionTexts = {
  write: (author: string) => `Reply to u/${author}`,
  placeholder: 'Write a reply',
  reply: 'Reply',
  /** Fixed wording: docs/product.md. */
  replied: 'Message Sent!',
  unsure: 'The forum didn’t confirm your reply. We’re checking whether it arrived.',
  saved: 'Saved replies',
  skip: 'Temporary Skip',
  skipped: 'Skipped until tomorrow, or until they write again',
  ignore: 'Ignore User',
  /** Fixed wording: docs/product.md. */
  isIgnored: 'Messages from this user will be ignored going forward',
  unignore: 'Stop Ignoring',
  unignored: (author: string) => `u/${author} is no longer ignored`,
  undo: 'Undo',
  delete: 'Delete From Reddit',
  deleteTitle: 'Delete this conversation?',
  deleteEffect: (author: string) =>
    `What u/${author} wrote here is deleted from your inbox on the forum. They keep their own copy. This can’t be undone.`,
  /** Fixed wording: docs/product.md. */
  deleted: 'Message has been deleted',
  failed: (reason: string) => `That didn’t work. ${reason}`,
} as const

/** Replies kept to be used again. */
export const savedTexts = {
  title: 'Saved replies',
  none: 'No saved replies yet. Write a reply, then save it here.',
  failed: 'We couldn’t load your saved replies',
  save: 'Save this text',
  saved: 'Reply saved',
  insert: 'Insert',
  insertOf: (title: string) => `Insert “${title}”`,
  edit: 'Edit',
  editOf: (title: string) => `Edit “${title}”`,
  replyTitle: 'Title',
  replyText: 'Reply',
  saveChanges: 'Save',
  cancel: 'Cancel',
  changed: 'Saved reply updated.',
  lost: 'Your changes to this saved reply aren’t saved and will be lost.',
  delete: 'Delete',
  deleteOf: (title: string) => `Delete “${title}”`,
  deleted: 'Saved reply deleted.',
  undo: 'Undo',
  back: 'Saved reply restored.',
} as const
