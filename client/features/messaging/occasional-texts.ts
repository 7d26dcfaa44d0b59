import { formatCount, formatNumber } from '../../ui/format.ts'

// Texts of parts that open on demand: apart from `texts.ts`, so that a conversation's first load leaves them out.

export const libraryTexts = {
  title: 'Attach from your library',
  search: 'Search your library',
  label: 'Your library',
  loadFailed: 'We couldn’t load your library',
  empty: 'Your library is empty',
  emptyHint: 'Upload photos and videos to attach them here.',
  noResults: 'No media found',
  free: 'Free for everyone',
  attach: (count: number) => (count === 0 ? 'Attach' : `Attach ${formatCount(count, 'item')}`),
} as const

/** What hangs on the message that is being written. */
export const trayTexts = {
  /** Fixed wording: docs/product.md. */
  cancelUpload: 'Cancel Upload',
  uploading: 'Uploading...',
  sendingMedia: 'Sending media',
  price: 'Price',
  priceHint: 'Leave empty to send it for free.',
  free: 'Everyone can see this for free. Lock it in your library, or remove it or the price.',
  removeFile: (name: string) => `Remove ${name}`,
  retryFile: (name: string) => `Try again: ${name}`,
  untitled: 'Untitled',
} as const

/** A link that leads to one message. */
export const linkTexts = { failed: 'We couldn’t find that message.' } as const

/** A sent message whose text is changed. */
export const editTexts = {
  editing: 'Editing your message',
  cancelEdit: 'Cancel editing',
  save: 'Save',
} as const

/** Before an own message is deleted. */
export const deletingTexts = {
  title: 'Delete this message?',
  confirm: 'Delete',
  effect: 'It’s deleted for both of you. This can’t be undone.',
} as const

/** Before somebody is blocked. */
export const blockingTexts = {
  title: (username: string) => `Block ${username}?`,
  confirm: 'Block',
  effect:
    'They can’t message you or find your profile, and you’ll stop following each other. They keep what they bought, but subscriptions between you won’t renew while they’re blocked.',
  done: (username: string) => `${username} is blocked.`,
} as const

/** The report of a message. */
export const reportingTexts = {
  title: 'Report this message',
  effect: 'Our team sees the message and the ones around it. The other person isn’t told.',
  reason: 'What’s wrong?',
  send: 'Send report',
  lost: 'Your report hasn’t been sent yet.',
  reported: 'Thanks. Our team will review this message.',
} as const

export const searchTexts = {
  label: 'Search this conversation',
  placeholder: 'Search messages',
  close: 'Close search',
  nothing: (filter: string) => `No messages contain “${filter}”`,
  nothingYet: 'Nothing in the latest messages',
  nothingSoFar: 'Nothing in the messages searched so far',
  older: 'Search older messages',
  failed: 'We couldn’t search this conversation',
  results: 'Search results',
  hint: 'Type a word to find it in your messages.',
} as const

export const settingsTexts = {
  title: 'Message settings',
  audience: 'Who can message you',
  everyone: 'Everyone',
  followers: 'Followers',
  subscribers: 'Subscribers',
  chat: 'Subscribers whose subscription includes chat',
  welcome: 'Welcome message',
  welcomeHint: 'Sent to new subscribers. Leave empty to send nothing.',
  save: 'Save',
  saved: 'Message settings saved.',
  lost: 'Your changes to your message settings aren’t saved.',
  loadFailed: 'We couldn’t load your message settings',
} as const

export const reportTexts = {
  title: 'Reported messages',
  lead: 'Messages that fans and creators reported. Reading the messages around one is recorded in the audit log.',
  showing: 'Show',
  open: 'Open',
  waiting: (count: number) => `${formatNumber(count)} open`,
  closed: 'Closed',
  label: 'Reports',
  failed: 'We couldn’t load the reports',
  none: 'No reports here',
  noneWhy: 'When someone reports a message, it appears here.',
  reported: 'reported',
  deletedUser: 'Deleted User',
  attachmentsOnly: 'No text, attachments only',
  beforeEdit: (when: string, text: string) => `Before the edit on ${when}: ${text}`,
  attachments: (count: number) => formatCount(count, 'attachment'),
  deleted: 'Deleted by its sender',
  takeDown: 'Take down',
  takenDown: 'Taken down',
  changeReason: 'Change the reason',
  around: 'Messages around it',
  readAround: 'Read the messages around it',
  close: 'Close report',
  closeEffect: 'Say what you decided. To suspend the sender, open their profile.',
  wasClosed: 'The report is closed.',
  closedBy: (when: string) => `Closed ${when} by`,
} as const
