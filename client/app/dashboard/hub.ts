import {
  IconAddressBook,
  IconBell,
  IconBook2,
  IconBrandReddit,
  IconBrush,
  IconBuildingBank,
  IconCalendarPlus,
  IconCalendarRepeat,
  IconCalendarStats,
  IconCalendarTime,
  IconCash,
  IconChartBar,
  IconChecklist,
  IconFileUpload,
  IconFlag,
  IconGavel,
  IconGif,
  IconGift,
  IconHeart,
  IconHistory,
  IconList,
  IconListDetails,
  IconLock,
  IconMail,
  IconMapPin2,
  IconMessageCircle,
  IconPencilPlus,
  IconPhotoCog,
  IconPhotoHeart,
  IconPlugConnected,
  IconReceipt2,
  IconRepeat,
  IconSearch,
  IconShieldLock,
  IconSparkles,
  IconSpeakerphone,
  IconTags,
  IconUpload,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { paths } from '../../lib/paths.ts'
import { promotionPaths } from '../../lib/promotion-paths.ts'
import type { Person } from '../../lib/session.tsx'
import { adminPages, adminPaths } from './admin-pages.ts'
import { hubTexts } from './texts.ts'

export type HubLink = {
  to: string
  label: string
  /** Its purpose, in a few words. */
  about: string
  Icon: ComponentType<{ size?: number; stroke?: number }>
}

export type HubPart = { title: string; links: HubLink[] }

/** Descriptions of the operators' pages, by address. */
const ADMIN: Record<string, Pick<HubLink, 'about' | 'Icon'>> = {
  [paths.payments]: { about: hubTexts.paymentsHint, Icon: IconReceipt2 },
  [paths.disputes]: { about: hubTexts.disputesHint, Icon: IconGavel },
  [adminPaths.settlements]: { about: hubTexts.settlementsHint, Icon: IconCash },
  [paths.payouts]: { about: hubTexts.payoutsHint, Icon: IconBuildingBank },
  [adminPaths.books]: { about: hubTexts.booksHint, Icon: IconBook2 },
  [paths.messageReports]: { about: hubTexts.messageReportsHint, Icon: IconFlag },
  [paths.searchFans]: { about: hubTexts.searchFansHint, Icon: IconUsers },
  [adminPaths.subredditProgram]: { about: hubTexts.subredditProgramHint, Icon: IconBrandReddit },
  [paths.metadata]: { about: hubTexts.metadataHint, Icon: IconTags },
  [paths.regions]: { about: hubTexts.regionsHint, Icon: IconMapPin2 },
  [adminPaths.audit]: { about: hubTexts.auditHint, Icon: IconHistory },
  [promotionPaths.manageSubreddits]: { about: hubTexts.subredditsHint, Icon: IconBrandReddit },
  [promotionPaths.lists]: { about: hubTexts.siteListsHint, Icon: IconListDetails },
}

const PROMOTION: HubLink[] = [
  {
    to: promotionPaths.createPost,
    label: hubTexts.createPost,
    about: hubTexts.createPostHint,
    Icon: IconPencilPlus,
  },
  { to: promotionPaths.posts, label: hubTexts.posts, about: hubTexts.postsHint, Icon: IconList },
  { to: promotionPaths.inbox, label: hubTexts.inbox, about: hubTexts.inboxHint, Icon: IconMail },
  {
    to: promotionPaths.schedule,
    label: hubTexts.schedule,
    about: hubTexts.scheduleHint,
    Icon: IconCalendarPlus,
  },
  { to: promotionPaths.plan, label: hubTexts.plan, about: hubTexts.planHint, Icon: IconCalendarStats },
  { to: promotionPaths.slots, label: hubTexts.slots, about: hubTexts.slotsHint, Icon: IconCalendarRepeat },
  {
    to: promotionPaths.timeline,
    label: hubTexts.timeline,
    about: hubTexts.timelineHint,
    Icon: IconCalendarTime,
  },
  {
    to: promotionPaths.earnings,
    label: hubTexts.postEarnings,
    about: hubTexts.postEarningsHint,
    Icon: IconChartBar,
  },
  {
    to: promotionPaths.progress,
    label: hubTexts.progress,
    about: hubTexts.progressHint,
    Icon: IconChecklist,
  },
  { to: promotionPaths.lists, label: hubTexts.lists, about: hubTexts.listsHint, Icon: IconListDetails },
  {
    to: promotionPaths.accounts,
    label: hubTexts.accounts,
    about: hubTexts.accountsHint,
    Icon: IconPlugConnected,
  },
]

const CREATOR_PROFILE: HubLink[] = [
  {
    to: paths.premiumContent,
    label: hubTexts.premiumContent,
    about: hubTexts.premiumContentHint,
    Icon: IconPhotoHeart,
  },
  { to: paths.offers, label: hubTexts.offers, about: hubTexts.offersHint, Icon: IconGift },
  { to: paths.fans, label: hubTexts.fans, about: hubTexts.fansHint, Icon: IconUsers },
  {
    to: paths.massMessages,
    label: hubTexts.massMessages,
    about: hubTexts.massMessagesHint,
    Icon: IconSpeakerphone,
  },
  { to: paths.uploadBulk, label: hubTexts.upload, about: hubTexts.uploadHint, Icon: IconUpload },
  {
    to: paths.uploadSingle,
    label: hubTexts.uploadOne,
    about: hubTexts.uploadOneHint,
    Icon: IconFileUpload,
  },
  { to: paths.manageMedia, label: hubTexts.manage, about: hubTexts.manageHint, Icon: IconPhotoCog },
  { to: paths.addMedia, label: hubTexts.gif, about: hubTexts.gifHint, Icon: IconGif },
]

const EVERYONES_PROFILE: HubLink[] = [
  { to: paths.chats, label: hubTexts.messages, about: hubTexts.messagesHint, Icon: IconMessageCircle },
  { to: paths.customs, label: hubTexts.customs, about: hubTexts.customsHint, Icon: IconSparkles },
  {
    to: paths.editProfile,
    label: hubTexts.edit,
    about: hubTexts.editHint,
    Icon: IconBrush,
  },
  {
    to: paths.privacySettings,
    label: hubTexts.privacy,
    about: hubTexts.privacyHint,
    Icon: IconLock,
  },
  {
    to: paths.notificationSettings,
    label: hubTexts.notifications,
    about: hubTexts.notificationsHint,
    Icon: IconBell,
  },
  {
    to: paths.security,
    label: hubTexts.security,
    about: hubTexts.securityHint,
    Icon: IconShieldLock,
  },
  { to: paths.following, label: hubTexts.following, about: hubTexts.followingHint, Icon: IconHeart },
]

/** The sections of the hub for this person, with what is there (docs/product.md, Pages). */
export function hubSections(person: Person, { hasForum }: { hasForum: boolean }): HubPart[] {
  const { isCreator } = person
  const admin = adminPages(person, { hasForum }).flatMap((page) => {
    const look = ADMIN[page.to]
    return look ? [{ ...page, ...look }] : []
  })
  return [
    ...(admin.length > 0 ? [{ title: hubTexts.admin, links: admin }] : []),
    ...(hasForum && isCreator ? [{ title: hubTexts.promotion, links: PROMOTION }] : []),
    { title: hubTexts.profile, links: [...(isCreator ? CREATOR_PROFILE : []), ...EVERYONES_PROFILE] },
    {
      title: hubTexts.finance,
      links: [
        isCreator
          ? {
              to: paths.earnings,
              label: hubTexts.earnings,
              about: hubTexts.earningsHint,
              Icon: IconCash,
            }
          : {
              to: paths.earnings,
              label: hubTexts.purchases,
              about: hubTexts.purchasesHint,
              Icon: IconReceipt2,
            },
        { to: paths.billing, label: hubTexts.billing, about: hubTexts.billingHint, Icon: IconRepeat },
        {
          to: paths.sharedReferrals,
          label: hubTexts.referrals,
          about: hubTexts.referralsHint,
          Icon: IconUserPlus,
        },
      ],
    },
    {
      title: hubTexts.search,
      links: [
        { to: paths.discover, label: hubTexts.browse, about: hubTexts.browseHint, Icon: IconSearch },
        {
          to: paths.searchUsers,
          label: hubTexts.people,
          about: hubTexts.peopleHint,
          Icon: IconAddressBook,
        },
      ],
    },
  ]
}
