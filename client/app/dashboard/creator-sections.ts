import {
  IconBrandReddit,
  IconCash,
  IconHome,
  IconLibraryPhoto,
  IconMessageCircle,
  IconTag,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { paths } from '../../lib/paths.ts'
import { isPromotion } from '../promotion.ts'
import { sectionsTexts } from '../shell/texts.ts'

/** One of the places that a creator works in. */
export type CreatorSection = {
  to: string
  label: string
  Icon: ComponentType<{ size?: number; stroke?: number }>
  /** Beginnings of the paths that belong to it, beside its own page, or whether one does. */
  holds: readonly string[] | ((path: string) => boolean)
}

/** The places of a creator's work, in the order of a day. What is not there yet is not among them. */
export const creatorSections: readonly CreatorSection[] = [
  { to: paths.dashboard, label: sectionsTexts.home, Icon: IconHome, holds: [] },
  {
    to: paths.manageMedia,
    label: sectionsTexts.library,
    // The plain photo is drawn by what shows media, which would come along with every page of the dashboard.
    Icon: IconLibraryPhoto,
    holds: [paths.editMedia(''), paths.uploadBulk, paths.uploadSingle, paths.addMedia],
  },
  {
    to: paths.premiumContent,
    label: sectionsTexts.shop,
    Icon: IconTag,
    holds: [paths.editSubscription(''), paths.editBundle(''), paths.offers, paths.fans],
  },
  {
    to: paths.chats,
    label: sectionsTexts.messages,
    Icon: IconMessageCircle,
    holds: [paths.chat(''), paths.massMessages, paths.customs],
  },
  { to: paths.earnings, label: sectionsTexts.earnings, Icon: IconCash, holds: [paths.sharedReferrals] },
  {
    to: paths.promotion,
    label: sectionsTexts.promotion,
    Icon: IconBrandReddit,
    holds: isPromotion,
  },
]

/** What `aria-current` says of a section on the page at this path: its own page, one that belongs to it, or neither. */
export function currentIn(
  section: Pick<CreatorSection, 'to' | 'holds'>,
  pathname: string,
): 'page' | 'true' | undefined {
  const path = pathname.replace(/\/$/, '').toLowerCase()
  if (path === section.to) return 'page'
  const { holds } = section
  const isHeld = typeof holds === 'function' ? holds(path) : holds.some((start) => path.startsWith(start))
  return isHeld ? 'true' : undefined
}
