import {
  IconAddressBook,
  IconBrush,
  IconCash,
  IconFileUpload,
  IconGif,
  IconHeart,
  IconLock,
  IconMapPin2,
  IconPhotoCog,
  IconPhotoHeart,
  IconReceipt2,
  IconSearch,
  IconShieldLock,
  IconTags,
  IconUpload,
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
}

export type HubPart = { title: string; links: HubLink[] }

const ADMIN: (HubLink & { permission: Permission })[] = [
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
]

/** The sections of the hub for this person, with what is there (docs/product.md, Pages). */
export function hubSections(person: Person): HubPart[] {
  const { isCreator } = person
  const admin = ADMIN.filter(({ permission }) => may(person, permission))
  return [
    ...(admin.length > 0 ? [{ title: 'Admin Stuff', links: admin }] : []),
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
