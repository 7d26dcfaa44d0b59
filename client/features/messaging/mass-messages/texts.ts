import { MASS_MESSAGES_A_DAY } from '../../../../contract/constants.ts'
import { formatCount, formatNumber } from '../../../ui/format.ts'

const people = (count: number) => formatCount(count, 'person', 'people')

const NOBODY_YET = 'No one would get it yet.'

/** The page of mass messages. */
export const massTexts = {
  title: 'Mass messages',
  lead: 'Message many fans at once. Each gets it in their own conversation with you.',
  create: 'New mass message',
  list: 'Your mass messages',
  loadFailed: 'We couldn’t load your mass messages',
  noneTitle: 'No mass messages yet',
  none: 'Messages to your followers, subscribers, or lists appear here, with how many people opened and bought them.',
  status: {
    scheduled: 'Scheduled',
    sending: 'Sending',
    sent: 'Sent',
    unsending: 'Unsending',
    unsent: 'Unsent',
    failed: 'Not sent',
  },
  /** Failed on the way, when some had it. */
  stopped: 'Stopped',
  stoppedWhy: (why: string) => `Sending stopped. ${why}`,
  whole: 'Show the whole message',
  less: 'Show less',
  audience: {
    followers: 'Followers',
    subscribers: 'Subscribers',
    expired: 'Former subscribers',
    list: 'A list',
  },
  deletedList: 'Deleted list',
  except: (to: string, list: string) => `${to}, except ${list}`,
  to: (audience: string) => `To ${audience}`,
  attachments: (count: number) => formatCount(count, 'attachment'),
  mediaOnly: 'Photos and videos',
  sentTo: 'Sent',
  opened: 'Opened',
  bought: 'Bought',
  share: (count: number, percent: string) => `${formatNumber(count)} · ${percent}`,
  earned: (amount: string) => `You earned ${amount}`,
  progress: (sent: number, expected: number) => `${formatNumber(sent)} of ${people(expected)}`,
  removed: (count: number) => `Removed for ${people(count)}`,
  leftOut: (count: number) =>
    `Sent without ${formatCount(count, 'item')} that ${count === 1 ? 'is' : 'are'} no longer available.`,
  goesTo: (count: number) => (count === 0 ? NOBODY_YET : `Goes to about ${people(count)}`),
  edit: 'Edit',
  cancel: 'Delete',
  cancelTitle: 'Delete this message?',
  cancelEffect: 'No one has received it. This can’t be undone.',
  canceled: 'Message deleted',
  unsend: 'Unsend',
  unsendTitle: 'Unsend this message?',
  unsendEffect: ({ isMoving, sold, media }: { isMoving: boolean; sold: boolean; media: boolean }) => {
    const removed = `${isMoving ? 'Sending stops, and the' : 'The'} message is removed from every conversation`
    if (sold) return `${removed}. Fans who bought it keep it.`
    return media ? `${removed}, along with the media that came with it.` : `${removed}.`
  },
  unsending: 'Unsending the message',
  actionFor: (action: string, text: string) => `${action}: ${text}`,
} as const

/** The form of a mass message. */
export const composeTexts = {
  title: 'New mass message',
  editTitle: 'Edit mass message',
  back: 'All mass messages',
  form: 'Mass message',
  audience: 'Who gets it',
  list: 'List',
  chooseList: 'Choose a list',
  openFailed: 'We couldn’t open this message',
  listDeleted: 'This list was deleted. Choose again.',
  noLists: 'You have no lists yet. Create one on the Fans page.',
  toFans: 'Go to Fans',
  exclude: 'Exclude',
  excludeNobody: 'No one',
  counting: 'Counting…',
  reaches: (count: number) => `${people(count)} will get it`,
  reachesNobody: 'No one would get it. Choose other people.',
  reachesNobodyYet: NOBODY_YET,
  countFailed: 'We couldn’t count the people.',
  message: 'Message',
  messageHint: 'Everyone gets the same text.',
  upload: 'Upload media',
  library: 'Add from library',
  when: 'When',
  now: 'Now',
  later: 'At a set time',
  time: 'Date and time',
  timeHint: (zone: string) => `In your time zone, ${zone}.`,
  chooseTime: 'Choose a date and time.',
  preview: 'Preview',
  previewEmpty: 'Your message appears here.',
  previewLocked: (items: string, price: string) => `${items} · Unlock for ${price}`,
  send: 'Send',
  schedule: 'Schedule',
  save: 'Save changes',
  /** Without a count where there is none. */
  sendTitle: (count: number | undefined) =>
    count === undefined ? 'Send this message?' : `Send to ${people(count)}?`,
  scheduleTitle: (when: string) => `Send on ${when}?`,
  sendEffect: 'Each person gets it in their own conversation with you. You can unsend it afterward.',
  scheduleEffect: (count: number | undefined) => {
    const now = count === undefined ? '' : count === 0 ? NOBODY_YET : `As of now it goes to ${people(count)}.`
    return `${now} Who gets it is decided when it’s sent. You can change it until then.`.trim()
  },
  sending: 'Your message is on its way',
  scheduled: 'Message scheduled',
  uploading: 'Wait until all files are uploaded.',
  uploadFailed: 'A file couldn’t be uploaded. Remove it or try again.',
  limit: `You can create ${MASS_MESSAGES_A_DAY} mass messages a day.`,
  lost: 'Your message hasn’t been sent yet.',
} as const
