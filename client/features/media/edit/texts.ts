import { MAX_PERFORMERS } from '../../../../contract/constants.ts'
import { formatCount } from '../../../ui/format.ts'

/** The edit page of an item, besides the texts that `docs/product.md` gives. */
export const editTexts = {
  loadFailed: 'We couldn’t load this media',
  notFound: 'This media could not be found.',
  page: 'Edit media',
  manage: 'Manage media',
  form: {
    lost: 'Your changes to this media aren’t saved.',
    replacing: 'The new file is still uploading. Leaving stops it.',
    belongsTo: 'Owner:',
    audit: 'Your changes are recorded in the audit log.',
    title: 'Title',
    titleOptional: 'Title (optional)',
    description: 'Description',
    tags: 'Tags',
    price: 'Price',
    priceHint: 'What it costs on its own.',
    priceUnused: 'Used only once it’s no longer free.',
    notOnSale: 'No one can buy it on its own yet.',
    sell: 'Put it up for sale',
    reason: 'Reason',
    reasonHint: 'Kept in the audit log.',
    save: 'Save',
    saved: 'Successfully updated!',
    unsaved: 'Unsaved changes',
    delete: 'Delete',
  },
  preview: {
    posterTaken: 'Poster updated.',
    view: 'View Media',
    choosePoster: 'Choose a poster',
  },
  flags: {
    showInSearch: {
      label: 'Show in search',
      description:
        'People can find it in Discover and on your profile. Locked media shows as a blurred preview.',
    },
    redditPromotion: {
      label: 'Forum promotion',
      description: 'Free for everyone, so you can post it to the forum.',
    },
    mustUnlock: {
      label: 'Must be unlocked',
      description: 'Only people who buy it, or subscribe to something that includes it, can see it.',
    },
    showInStore: {
      label: 'Show in shop',
      description: 'Sold on its own, at the price above, under Singles on your profile.',
    },
    directOnly: {
      label: 'Private (send via chat)',
      description: 'No one sees it until you send it to them in a chat.',
    },
  },
  advanced: 'Advanced',
  allOff: 'With all off, the media is viewable by anyone with the link.',
  audience: {
    direct: 'Only you and people you send it to in a chat.',
    single: 'People who buy it, on its own or in a subscription or bundle',
    locked: 'People who get it in a subscription or bundle',
    blurred: (buyers: string) => `${buyers}. Everyone else sees a blurred preview.`,
    everyone: 'Everyone, and it appears in Discover.',
    link: 'Anyone with the link.',
  },
  badges: { direct: 'Private', store: 'In shop', locked: 'Locked', public: 'Public', link: 'Link only' },
  alsoOn: (flags: string) => `Also turned on: ${flags}.`,
  alsoOff: (flags: string) => `Also turned off: ${flags}.`,
  buyers: (count: number) =>
    count === 0
      ? 'No one has bought it yet.'
      : `${formatCount(count, 'person', 'people')} bought it. They keep the old file and can see the new one too.`,
  who: 'Who can see it',
  audiences: {
    locked: 'Locked, for subscriptions and bundles',
    single: 'For sale as a single',
    public: 'Public, free for everyone',
    private: 'Private, to send via chat',
  },
  performers: {
    title: 'Who is depicted',
    hint: 'Only you and the operator see this.',
    loadFailed: 'We couldn’t load your list of people',
    you: (name: string) => `${name} (you)`,
    most: `You can add up to ${MAX_PERFORMERS} people.`,
    another: 'Add another person',
    add: 'Add',
  },
  unlock: {
    title: 'Unlock for a fan',
    fan: 'Fan',
    noOne: 'No results',
    reason: 'Reason (optional)',
    reasonHint: 'Kept in the audit log.',
    submit: 'Unlock',
    done: 'Unlocked for user',
  },
  poster: {
    shown: (time: string) => `The frame at ${time}`,
    error: 'This media has an error',
    tryAgain: 'Try again',
    frame: 'Poster frame',
    use: 'Use this frame',
    cancel: 'Cancel',
    preparing: 'Preparing the poster…',
    slow: 'This is taking longer than usual. Check back in a few minutes, or try again.',
  },
  replace: {
    question: (media: string) => `Replace the file of ${media}?`,
    confirm: 'Replace',
    effect: (fileName: string) => `${fileName} replaces the current file. You can’t go back to the old one.`,
    buyersUnknown: (reason: string) =>
      `People who bought it keep the old file and can see the new one too. We couldn’t check how many that is. ${reason}`,
    uploading: (fileName: string) => `Uploading ${fileName}`,
    interrupted: (fileName: string) => `Uploading ${fileName} was interrupted. It resumes automatically.`,
    preparing: (fileName: string) => `Preparing ${fileName}`,
    cancel: 'Cancel',
    button: 'Replace the file',
    done: 'Your media file has been updated!',
    failed: (account: string) => `Something went wrong. Please DM ${account}`,
    ourAccount: (forum: string) => `our account on ${forum}`,
    tryAgain: 'Try again',
    input: 'New file',
  },
} as const
