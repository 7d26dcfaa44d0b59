import { Outlet } from 'react-router'
import type { Permission } from '../../contract/permissions.ts'
import { useVisitor } from '../features/gate/visitor.tsx'
import { useConfig } from '../lib/config.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session.tsx'
import { CreatorLayout } from './dashboard/CreatorLayout.tsx'
import { sectionsOf } from './dashboard/creator-sections.ts'
import type { PageRoute } from './page-route.ts'

const user = { who: 'user', to: paths.login, keepPath: true } as const
const creator = { ...user, who: 'creator' } as const
const withPermission = (...anyOf: Permission[]) => ({ ...user, who: { anyOf } })

/** Around every page of the dashboard: a creator’s and an operator’s have the way between them. */
export function DashboardScope() {
  const { currentUser } = useSession()
  const hasForum = useConfig()?.forum.available ?? false
  const { isRestrictedState } = useVisitor()
  // In a restricted region nearly all of them lead back to the page that says so.
  const hasSections = currentUser?.verifiedEmail === 'verified' && !isRestrictedState
  const sections = hasSections ? sectionsOf(currentUser, { hasForum }) : []
  // Fans have but Home.
  return sections.length > 1 ? (
    <CreatorLayout sections={sections} asFan={!currentUser?.isCreator}>
      <Outlet />
    </CreatorLayout>
  ) : (
    <Outlet />
  )
}

/** The pages under `/dashboard`, and what belongs to them, for people who are logged in (docs/product.md, Pages). */
export const dashboardRoutes: readonly PageRoute[] = [
  {
    path: '/dashboard',
    title: 'Dashboard',
    guard: user,
    plain: true,
    load: () => import('./dashboard/DashboardPage.tsx'),
  },
  {
    path: '/dashboard/edit',
    title: 'Edit profile',
    guard: { ...user, unverified: true },
    load: () => import('../features/profiles/editing/EditProfilePage.tsx'),
  },
  {
    path: '/dashboard/privacy',
    title: 'Privacy',
    guard: { ...user, unverified: true },
    load: () => import('../features/profiles/privacy/PrivacySettingsPage.tsx'),
  },
  {
    path: '/dashboard/security',
    title: 'Security',
    guard: { ...user, withoutSecondFactor: true },
    load: () => import('../features/identity/security/SecurityPage.tsx'),
  },
  {
    path: '/dashboard/chats',
    title: 'Messages',
    guard: user,
    plain: true,
    load: () => import('../features/messaging/ConversationsPage.tsx'),
  },
  {
    path: '/dashboard/chat/:recipientId',
    title: 'Chat',
    guard: { who: 'user', to: paths.signup, keepPath: true },
    plain: true,
    load: () => import('../features/messaging/ChatPage.tsx'),
  },
  {
    path: '/customs',
    title: 'Custom requests',
    guard: { who: 'user', to: paths.home },
    plain: true,
    load: () => import('../features/messaging/custom-requests/CustomsPage.tsx'),
  },
  {
    path: '/dashboard/mass-messages',
    title: 'Mass messages',
    guard: creator,
    load: () => import('../features/messaging/mass-messages/MassMessagesPage.tsx'),
  },
  {
    path: '/dashboard/notifications',
    title: 'Notifications',
    guard: user,
    load: () => import('../features/notifications/NotificationsPage.tsx'),
  },
  {
    path: '/dashboard/notifications/settings',
    title: 'Notification settings',
    guard: user,
    load: () => import('../features/notifications/settings/NotificationSettingsPage.tsx'),
  },
  {
    path: '/dashboard/following',
    title: 'Following',
    guard: user,
    load: () => import('../features/profiles/people/FollowingPage.tsx'),
  },
  {
    path: '/dashboard/earnings',
    title: 'Earnings',
    guard: user,
    load: () => import('../features/commerce/earnings/EarningsPage.tsx'),
  },
  {
    path: '/dashboard/sharedrefs',
    title: 'Referrals',
    guard: user,
    load: () => import('../features/affiliates/referrals/ReferralsPage.tsx'),
  },
  {
    path: '/dashboard/billing',
    title: 'Billing',
    guard: user,
    load: () => import('../features/commerce/billing/BillingPage.tsx'),
  },
  {
    path: '/dashboard/offers',
    title: 'Offers',
    guard: creator,
    load: () => import('../features/commerce/offers/OffersPage.tsx'),
  },
  {
    path: '/dashboard/fans',
    title: 'Fans',
    guard: creator,
    load: () => import('./pages/FansPage.tsx'),
  },
  {
    path: '/dashboard/how-to-use',
    title: 'How it works',
    guard: { who: 'user', to: paths.howToUse },
    load: () => import('../features/affiliates/HowToUsePage.tsx'),
  },
  {
    path: '/dashboard/premiumcontentmanagement',
    title: 'Your shop',
    guard: creator,
    load: () => import('../features/commerce/selling/ShopPage.tsx'),
  },
  {
    path: '/dashboard/edit/subscription/:subscriptionId',
    title: 'Edit subscription',
    guard: creator,
    load: () => import('../features/commerce/selling/EditSubscriptionPage.tsx'),
  },
  {
    path: '/dashboard/edit/bundle/:bundleId',
    title: 'Edit bundle',
    guard: creator,
    load: () => import('../features/commerce/selling/EditBundlePage.tsx'),
  },
  {
    path: '/dashboard/uploadbulk',
    title: 'Upload media',
    guard: user,
    load: () => import('./pages/UploadBulkPage.tsx'),
  },
  {
    path: '/dashboard/uploadsingle',
    title: 'Upload one file',
    guard: user,
    load: () => import('../features/media/upload/UploadSinglePage.tsx'),
  },
  {
    path: '/dashboard/manage',
    title: 'Manage media',
    guard: user,
    load: () => import('./pages/ManageMediaPage.tsx'),
  },
  {
    path: '/dashboard/edit/media/:mediaId',
    title: 'Edit media',
    guard: user,
    load: () => import('../features/media/edit/EditMediaPage.tsx'),
  },
  {
    path: '/dashboard/add/media',
    title: 'Add an external GIF',
    guard: creator,
    load: () => import('../features/media/embed/AddMediaPage.tsx'),
  },
  {
    path: '/dashboard/metadata',
    title: 'Media metadata',
    guard: withPermission('media.editAll'),
    load: () => import('../features/media/metadata/MetadataPage.tsx'),
  },
  {
    path: '/dashboard/regions',
    title: 'Restricted regions',
    guard: withPermission('regions.edit', 'people.approveAge'),
    load: () => import('../features/gate/regions/RegionsPage.tsx'),
  },
  {
    path: '/dashboard/payouts',
    title: 'Payouts',
    guard: withPermission('payouts.approve'),
    load: () => import('../features/commerce/payouts/PayoutsPage.tsx'),
  },
  {
    path: '/dashboard/payments',
    title: 'Payments',
    guard: withPermission('refunds.issue'),
    load: () => import('../features/commerce/operator/PaymentsPage.tsx'),
  },
  {
    path: '/dashboard/payments/:transactionId',
    title: 'Payment',
    guard: withPermission('refunds.issue'),
    load: () => import('../features/commerce/operator/PaymentPage.tsx'),
  },
  {
    path: '/dashboard/disputes',
    title: 'Disputes',
    guard: withPermission('refunds.issue'),
    load: () => import('../features/commerce/operator/DisputesPage.tsx'),
  },
  {
    path: '/dashboard/subredditprogram',
    title: 'Subreddit program',
    guard: withPermission('payouts.approve'),
    load: () => import('../features/affiliates/program/ProgramPage.tsx'),
  },
  {
    path: '/searchfans',
    title: 'Search fans',
    guard: { who: { anyOf: ['subscriptions.extend', 'media.unlock'] }, to: paths.home },
    load: () => import('../features/commerce/subscribers/SearchFansPage.tsx'),
  },
  {
    path: '/books',
    title: 'Books',
    guard: withPermission('ledger.adjust'),
    load: () => import('../features/commerce/operator/books/BooksPage.tsx'),
  },
  {
    path: '/dashboard/settlements',
    title: 'Settled batches',
    guard: withPermission('refunds.issue'),
    load: () => import('../features/commerce/operator/SettlementsPage.tsx'),
  },
  {
    path: '/dashboard/reports',
    title: 'Reported messages',
    guard: withPermission('reports.review'),
    load: () => import('../features/messaging/reports/ReportsPage.tsx'),
  },
  {
    path: '/dashboard/audit',
    title: 'Audit log',
    guard: withPermission('audit.read'),
    load: () => import('../features/audit/AuditPage.tsx'),
  },
]
