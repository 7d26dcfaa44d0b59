import type { Permission } from '../../../contract/permissions.ts'
import { paths } from '../../lib/paths.ts'
import { promotionPaths } from '../../lib/promotion-paths.ts'
import { may, type Person } from '../../lib/session.tsx'
import { sectionPageTexts, adminPageTexts as texts } from './section-texts.ts'

type AdminPage = { to: string; label: string }

/** Here, as the table of all paths comes with every first load. */
export const adminPaths = {
  settlements: '/dashboard/settlements',
  books: '/books',
  subredditProgram: '/dashboard/subredditprogram',
  audit: '/dashboard/audit',
} as const

/** A page that is there for several permissions stands in a row, and has the name of the first one that a person has. */
const PAGES: readonly (AdminPage & { permission: Permission })[] = [
  { to: paths.payments, label: texts.payments, permission: 'refunds.issue' },
  { to: paths.disputes, label: texts.disputes, permission: 'refunds.issue' },
  { to: adminPaths.settlements, label: texts.settlements, permission: 'refunds.issue' },
  { to: paths.payouts, label: texts.payouts, permission: 'payouts.approve' },
  { to: adminPaths.books, label: texts.books, permission: 'ledger.adjust' },
  { to: paths.messageReports, label: texts.messageReports, permission: 'reports.review' },
  { to: paths.searchFans, label: texts.searchFans, permission: 'subscriptions.extend' },
  { to: paths.searchFans, label: texts.unlocks, permission: 'media.unlock' },
  { to: adminPaths.subredditProgram, label: texts.subredditProgram, permission: 'payouts.approve' },
  { to: paths.metadata, label: texts.metadata, permission: 'media.editAll' },
  { to: paths.regions, label: texts.regions, permission: 'regions.edit' },
  { to: paths.regions, label: texts.ages, permission: 'people.approveAge' },
  { to: adminPaths.audit, label: texts.audit, permission: 'audit.read' },
]

/** The operators' pages that this person may open, in the order of a day; none for everybody else. */
export function adminPages(person: Person, { hasForum }: { hasForum: boolean }): AdminPage[] {
  const allowed = PAGES.filter(({ permission }) => may(person, permission))
  const pages = allowed.filter(({ to }, index) => to !== allowed[index - 1]?.to)
  if (!hasForum || !may(person, 'subreddits.edit')) return pages
  return [
    ...pages,
    { to: promotionPaths.manageSubreddits, label: texts.subreddits },
    // A creator finds all lists, their own among them, with the rest of promotion.
    ...(person.isCreator ? [] : [{ to: promotionPaths.lists, label: sectionPageTexts.lists }]),
  ]
}
