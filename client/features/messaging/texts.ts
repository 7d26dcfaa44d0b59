import { formatCount, formatNumber, withCents } from '../../ui/format.ts'

/** The list of conversations. */
export const conversationsTexts = {
  title: 'Messages',
  label: 'Conversations',
  search: 'Search by username',
  filter: 'Show',
  all: 'All',
  unread: 'Unread',
  spenders: 'Top spenders',
  spent: (amount: string) => `Spent ${amount} with you`,
  noSpenders: 'No spenders yet',
  noSpendersHint: 'Fans who buy from you and message you appear here.',
  loadFailed: 'We couldn’t load your conversations',
  emptyTitle: 'No messages yet',
  emptyHint: 'Open a creator’s profile and select Message to start a conversation.',
  emptyCreatorHint: 'Messages from your fans appear here.',
  findCreators: 'Find creators',
  noUnread: 'No unread messages',
  noUnreadHint: 'You’re all caught up.',
  noResults: (filter: string) => `No results for “${filter}”`,
  noResultsHint: 'Try fewer letters or another spelling.',
  choose: 'Select a conversation',
  chooseHint: 'Your messages appear here.',
  you: 'You: ',
  draft: 'Draft: ',
  attachments: (count: number) => formatCount(count, 'attachment'),
  tip: (amount: string) => `${withCents(amount)} tip`,
  request: (content: string) => `Custom request: ${content}`,
  delivered: 'Custom request delivered',
  unreadCount: (count: number) => `${formatCount(count, 'unread message')}`,
  muted: 'Muted',
  subscriptions: 'Your subscriptions',
  subscriptionsFailed: 'We couldn’t load your subscriptions',
  message: 'Message',
  settings: 'Message settings',
  newMass: 'New mass message',
} as const

/** One conversation. */
export const chatTexts = {
  /** Fixed wording, before a link to the other person. */
  heading: 'Chatting with',
  title: (username: string) => `Chatting with ${username}`,
  back: 'All conversations',
  online: 'Online',
  typing: 'typing…',
  connecting: 'Connecting…',
  loadFailed: 'We couldn’t load this conversation',
  messages: (username: string) => `Messages with ${username}`,
  emptyTitle: (username: string) => `Say hi to ${username}`,
  emptyRefused: (username: string) => `You can’t message ${username}`,
  emptyHint: 'Messages you send and receive appear here.',
  newMessages: 'New messages',
  toLatest: (unread: number) =>
    unread > 0 ? `Jump to latest, ${formatCount(unread, 'unread message')}` : 'Jump to latest',
  olderFailed: 'We couldn’t load older messages.',
  newerFailed: 'We couldn’t load newer messages.',
  tryAgain: 'Try again',
  today: 'Today',
  yesterday: 'Yesterday',
  said: (username: string, what: string) => `${username}: ${what}`,
  media: 'Photo or video',
  attachments: (count: number) => formatCount(count, 'attachment'),
} as const

/** One message and what can be done with it. */
export const messageTexts = {
  toMany: 'Mass message',
  more: 'Message options',
  reactWith: (emoji: string) => `React with ${emoji}`,
  removeReaction: (emoji: string) => `Remove your ${emoji}`,
  reacted: (emoji: string, names: string) => `${emoji} from ${names}`,
  you: 'you',
  youWrote: 'You',
  reply: 'Reply',
  copy: 'Copy text',
  copyLink: 'Copy link',
  copied: 'Copied',
  copyFailed: 'We couldn’t copy this. Select the text instead.',
  edit: 'Edit',
  delete: 'Delete',
  report: 'Report',
  deleted: 'Message deleted',
  edited: 'Edited',
  sending: 'Sending',
  uploading: 'Uploading...',
  cancelUpload: 'Cancel Upload',
  sent: 'Sent',
  read: 'Read',
  failed: 'Not sent',
  behind: 'Waiting for the message above to be sent.',
  againAt: (time: string) => `We’ll try again at ${time}.`,
  retry: 'Try again',
  discard: 'Delete',
  repliedTo: (name: string) => `Reply to ${name}`,
  yourself: 'yourself',
  media: 'Photos and videos in this message',
  private: 'Private message',
  unlock: (price: string) => `Unlock for ${price}`,
  unavailable: 'No longer available',
  lockedFor: (price: string) => `Locked for ${price}`,
  bought: (price: string) => `Bought for ${price}`,
  sold: (price: string) => `Sold for ${price}`,
} as const

/** The field in which a message is written. */
export const composerTexts = {
  label: (username: string) => `Message ${username}`,
  placeholder: 'Message',
  send: 'Send',
  /** Fixed wording: docs/product.md. */
  upload: 'Upload Media',
  library: 'Attach from your library',
  yourself: 'yourself',
  replyingTo: (name: string) => `Replying to ${name}`,
  cancelReply: 'Cancel reply',
  tooMany: (limit: number) => `You can attach up to ${formatNumber(limit)} files to a message.`,
  tooLong: (limit: number) => `Use at most ${formatNumber(limit)} characters.`,
  drop: 'Drop photos and videos to attach them',
} as const

/** Instead of the field, where the other person can't be written to. */
export const refusalTexts = {
  follow: 'Follow',
  subscribe: 'See subscriptions',
  unblock: 'Unblock',
} as const

/** Actions for a whole conversation. */
export const headerTexts = {
  listsAndNote: 'Lists and note',
  tip: 'Send a tip',
  more: (username: string) => `More about ${username}`,
  profile: 'View profile',
  search: 'Search messages',
  mute: 'Mute',
  unmute: 'Unmute',
  muted: 'Muted. You won’t see a badge for this conversation.',
  unmuted: 'Unmuted',
  block: (username: string) => `Block ${username}`,
  unblock: (username: string) => `Unblock ${username}`,
  unblocked: (username: string) => `${username} is no longer blocked.`,
} as const

/** Messages on their way. */
export const outboxTexts = {
  uploadFailed: 'A file couldn’t be uploaded.',
  limited: 'You’ve reached the limit on messages for now.',
} as const
