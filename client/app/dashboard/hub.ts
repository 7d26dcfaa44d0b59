import {
  IconAddressBook,
  IconBrush,
  IconCalendarTime,
  IconCash,
  IconFileUpload,
  IconGif,
  IconHeart,
  IconListDetails,
  IconLock,
  IconMapPin2,
  IconMessageStar,
  IconMessages,
  IconPencilPlus,
  IconPhotoCog,
  IconPhotoEdit,
  IconPhotoHeart,
  IconReceipt2,
  IconSearch,
  IconSettings,
  IconShare3,
  IconShieldCheck,
  IconShieldLock,
  IconStack2,
  IconTags,
  IconTicket,
  IconTimeline,
  IconUpload,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Permission } from '../../../contract/permissions.ts'
import { paths } from '../../lib/paths.ts'
import { may, type Person } from '../../lib/session.tsx'

export type HubLink = {
  to: string
  label: string
  /** What it is for, in a few words. */
  about: string
  Icon: ComponentType<{ size?: number; stroke?: number }>
  /** Its page says 'not available yet'. */
  soon?: true
}

export type HubPart = { title: string; links: HubLink[] }

const ADMIN: (HubLink & { permission: Permission })[] = [
  {
    to: paths.searchFans,
    permission: 'people.viewAll',
    label: 'Search fans',
    about: 'Subscriptions of any fan',
    Icon: IconUserSearch,
    soon: true,
  },
  {
    to: paths.manageSubreddits,
    permission: 'regions.edit',
    label: 'Manage subreddits',
    about: 'Rules and notes',
    Icon: IconSettings,
    soon: true,
  },
  {
    to: paths.regions,
    permission: 'regions.edit',
    label: 'Restricted regions',
    about: 'And ages approved by hand',
    Icon: IconMapPin2,
  },
  {
    to: paths.metadata,
    permission: 'media.editAll',
    label: 'Media metadata',
    about: 'Types and durations',
    Icon: IconTags,
  },
]

const PROMOTION: HubLink[] = [
  {
    to: paths.createPost,
    label: 'Create a post',
    about: 'A link, titles and a comment',
    Icon: IconPencilPlus,
    soon: true,
  },
  { to: paths.posts, label: 'Your posts', about: 'And where they belong', Icon: IconListDetails, soon: true },
  {
    to: paths.schedulePosts,
    label: 'Schedule posts',
    about: 'Fill the queue',
    Icon: IconCalendarTime,
    soon: true,
  },
  { to: paths.timeline, label: 'Timeline', about: 'What goes out, and when', Icon: IconTimeline, soon: true },
  {
    to: paths.subredditProgress,
    label: 'Verification progress',
    about: 'By subreddit',
    Icon: IconShieldCheck,
    soon: true,
  },
  {
    to: paths.subredditLists,
    label: 'Subreddit lists',
    about: 'Working, pending, banned',
    Icon: IconStack2,
    soon: true,
  },
  {
    to: paths.forumChats,
    label: 'Forum inbox',
    about: 'One message after the other',
    Icon: IconMessageStar,
    soon: true,
  },
]

const CREATOR_PROFILE: HubLink[] = [
  {
    to: paths.premiumContent,
    label: 'Premium content',
    about: 'Subscriptions, bundles, singles',
    Icon: IconPhotoHeart,
  },
  { to: paths.uploadBulk, label: 'Upload media', about: 'Several files at once', Icon: IconUpload },
  {
    to: paths.uploadSingle,
    label: 'Upload one file',
    about: 'Large videos, in chunks',
    Icon: IconFileUpload,
  },
  { to: paths.manageMedia, label: 'Manage media', about: 'Titles, prices, visibility', Icon: IconPhotoCog },
  { to: paths.addMedia, label: 'Add an external gif', about: 'Hosted elsewhere', Icon: IconGif },
  { to: paths.offers, label: 'Offers', about: 'Trials and discounts', Icon: IconTicket, soon: true },
  { to: paths.fans, label: 'Your fans', about: 'Who subscribes to you', Icon: IconUsers, soon: true },
]

const EVERYONES_PROFILE: HubLink[] = [
  {
    to: paths.editProfile,
    label: 'Edit profile',
    about: 'Name, pictures, links',
    Icon: IconBrush,
  },
  {
    to: paths.privacySettings,
    label: 'Privacy',
    about: 'Blocks, your data, your account',
    Icon: IconLock,
  },
  {
    to: paths.security,
    label: 'Security',
    about: 'Password, e-mail, second factor',
    Icon: IconShieldLock,
  },
  { to: paths.following, label: 'Following', about: 'The creators you follow', Icon: IconHeart },
  { to: paths.chats, label: 'Messages', about: 'Your conversations', Icon: IconMessages, soon: true },
  { to: paths.customs, label: 'Custom requests', about: 'Made to order', Icon: IconPhotoEdit, soon: true },
]

/** The sections of the hub for this person: Admin Stuff, Promotion, Profile Management, Finance, Search (docs/product.md, Pages). */
export function hubSections(person: Person): HubPart[] {
  const { isCreator } = person
  const admin = ADMIN.filter(({ permission }) => may(person, permission))
  return [
    ...(admin.length > 0 ? [{ title: 'Admin Stuff', links: admin }] : []),
    ...(isCreator ? [{ title: 'Promotion', links: PROMOTION }] : []),
    { title: 'Profile Management', links: [...(isCreator ? CREATOR_PROFILE : []), ...EVERYONES_PROFILE] },
    {
      title: 'Finance',
      links: [
        isCreator
          ? {
              to: paths.earnings,
              label: 'Earnings',
              about: 'Gross, fee and share of each sale',
              Icon: IconCash,
            }
          : { to: paths.earnings, label: 'Purchases', about: 'Everything you paid for', Icon: IconReceipt2 },
        {
          to: paths.sharedReferrals,
          label: 'Shared referral codes',
          about: 'Split a commission',
          Icon: IconShare3,
          soon: true,
        },
      ],
    },
    {
      title: 'Search',
      links: [
        { to: paths.discover, label: 'Browse All Content', about: 'From all creators', Icon: IconSearch },
        {
          to: paths.searchUsers,
          label: 'Search people',
          about: 'By username',
          Icon: IconAddressBook,
        },
      ],
    },
  ]
}
