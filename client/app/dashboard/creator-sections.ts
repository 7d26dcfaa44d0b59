import {
  IconBrandReddit,
  IconCash,
  IconHome,
  IconLibraryPhoto,
  IconMessageCircle,
  IconShieldCheck,
  IconTag,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { paths } from '../../lib/paths.ts'
import { promotionPaths } from '../../lib/promotion-paths.ts'
import type { Person } from '../../lib/session.tsx'
import { isPromotion } from '../promotion.ts'
import { adminPages } from './admin-pages.ts'
import { sectionPageTexts as pageTexts, sectionsTexts } from './section-texts.ts'

/** One of the places that a creator or an operator works in. */
export type CreatorSection = {
  to: string
  label: string
  Icon: ComponentType<{ size?: number; stroke?: number }>
  /** Beginnings of the paths that belong to it, beside its own page, or whether one does. */
  holds: readonly string[] | ((path: string) => boolean)
  /** Its pages, its own first; none where that is the only one. */
  pages: readonly { to: string; label: string }[]
}

/** The places of a creator's work, in the order of a day. What is not there yet is not among them. */
export const creatorSections: readonly CreatorSection[] = [
  { to: paths.dashboard, label: sectionsTexts.home, Icon: IconHome, holds: [], pages: [] },
  {
    to: paths.manageMedia,
    label: sectionsTexts.library,
    // The plain photo is drawn by what shows media, which would come along with every page of the dashboard.
    Icon: IconLibraryPhoto,
    holds: [paths.editMedia(''), paths.uploadBulk, paths.uploadSingle, paths.addMedia],
    pages: [
      { to: paths.manageMedia, label: pageTexts.manage },
      { to: paths.uploadBulk, label: pageTexts.upload },
      { to: paths.uploadSingle, label: pageTexts.uploadOne },
      { to: paths.addMedia, label: pageTexts.gif },
    ],
  },
  {
    to: paths.premiumContent,
    label: sectionsTexts.shop,
    Icon: IconTag,
    holds: [paths.editSubscription(''), paths.editBundle(''), paths.offers, paths.fans],
    pages: [
      { to: paths.premiumContent, label: pageTexts.premiumContent },
      { to: paths.offers, label: pageTexts.offers },
      { to: paths.fans, label: pageTexts.fans },
    ],
  },
  {
    to: paths.chats,
    label: sectionsTexts.messages,
    Icon: IconMessageCircle,
    holds: [paths.chat(''), paths.massMessages, paths.customs],
    pages: [
      { to: paths.chats, label: pageTexts.messages },
      { to: paths.massMessages, label: pageTexts.massMessages },
      { to: paths.customs, label: pageTexts.customs },
    ],
  },
  {
    to: paths.earnings,
    label: sectionsTexts.earnings,
    Icon: IconCash,
    holds: [paths.sharedReferrals],
    pages: [
      { to: paths.earnings, label: pageTexts.earnings },
      { to: paths.sharedReferrals, label: pageTexts.referrals },
    ],
  },
  {
    to: paths.promotion,
    label: sectionsTexts.promotion,
    Icon: IconBrandReddit,
    // That one is the operators'.
    holds: (path) => isPromotion(path) && path !== promotionPaths.manageSubreddits,
    pages: [
      { to: promotionPaths.posts, label: pageTexts.posts },
      { to: promotionPaths.createPost, label: pageTexts.createPost },
      { to: promotionPaths.inbox, label: pageTexts.inbox },
      { to: promotionPaths.schedule, label: pageTexts.schedule },
      { to: promotionPaths.plan, label: pageTexts.plan },
      { to: promotionPaths.slots, label: pageTexts.slots },
      { to: promotionPaths.timeline, label: pageTexts.timeline },
      { to: promotionPaths.earnings, label: pageTexts.postEarnings },
      { to: promotionPaths.progress, label: pageTexts.progress },
      { to: promotionPaths.lists, label: pageTexts.lists },
      { to: promotionPaths.accounts, label: pageTexts.accounts },
    ],
  },
]

/** The sections of the sidebar: a creator's, and last the operators' pages for people who may open any. */
export function sectionsOf(person: Person, { hasForum }: { hasForum: boolean }): readonly CreatorSection[] {
  const own = creatorSections.filter(({ to }) =>
    person.isCreator ? hasForum || to !== paths.promotion : to === paths.dashboard,
  )
  const pages = adminPages(person, { hasForum })
  const [first] = pages
  if (!first) return own
  // Which pages lead to them says whose they are: a creator's are with the rest of promotion.
  const below = pages.some(({ to }) => to === promotionPaths.lists)
    ? [promotionPaths.subreddit(''), promotionPaths.editList('')]
    : []
  const holds = [...pages.map(({ to }) => to), ...below]
  return [...own, { to: first.to, label: sectionsTexts.admin, Icon: IconShieldCheck, holds, pages }]
}

const plainPath = (pathname: string) => pathname.replace(/\/$/, '').toLowerCase()

/** Whether this is the page at this path. */
export const isPageAt = ({ to }: { to: string }, pathname: string) => plainPath(pathname) === to

/** The `aria-current` of a section on the page at this path: its own page, one below it, or neither. */
export function currentIn(
  section: Pick<CreatorSection, 'to' | 'holds'>,
  pathname: string,
): 'page' | 'true' | undefined {
  const path = plainPath(pathname)
  if (path === section.to) return 'page'
  const { holds } = section
  const isHeld = typeof holds === 'function' ? holds(path) : holds.some((start) => path.startsWith(start))
  return isHeld ? 'true' : undefined
}
