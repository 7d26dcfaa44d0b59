import { paths } from '../lib/paths.ts'
import type { PageRoute } from './page-route.ts'

const userOrLogin = { who: 'user', to: paths.login, keepPath: true } as const
const userOrHome = { who: 'user', to: paths.home } as const

/** The pages outside the dashboard that few visits open (docs/product.md, Pages). */
export const occasionalRoutes: readonly PageRoute[] = [
  {
    path: '/emailconfirmation',
    title: 'Verify your email',
    load: () => import('../features/identity/confirmation/EmailConfirmationPage.tsx'),
  },
  {
    path: '/reset',
    title: 'Reset your password',
    load: () => import('../features/identity/reset/ResetPage.tsx'),
  },
  {
    path: '/resetconfirmed/:userId/:token',
    title: 'Choose a new password',
    load: () => import('../features/identity/reset/NewPasswordPage.tsx'),
  },
  {
    path: '/users/:username/buy',
    title: 'Buy',
    guard: userOrLogin,
    load: () => import('./pages/BuyPage.tsx'),
  },
  {
    path: '/yourcontent',
    title: 'Your premium content',
    guard: userOrLogin,
    load: () => import('../features/media/library/YourContentPage.tsx'),
  },
  {
    path: '/searchusers',
    title: 'Search people',
    guard: userOrHome,
    load: () => import('../features/profiles/people/SearchUsersPage.tsx'),
  },
  {
    path: '/restricted',
    title: 'Restricted regions',
    load: () => import('../features/gate/RestrictedPage.tsx'),
  },
  {
    path: '/agecheck',
    title: 'Age check',
    load: () => import('../features/gate/AgeCheckPage.tsx'),
  },
  {
    path: '/users/:username/offers/:offerId',
    title: 'Offer',
    load: () => import('../features/commerce/offers/OfferPage.tsx'),
  },
  {
    path: '/go/:code',
    title: 'One moment',
    load: () => import('../features/promotion/visits/VisitPage.tsx'),
  },
  {
    path: '/affiliates',
    title: 'Affiliates',
    load: () => import('../features/affiliates/AffiliatesPage.tsx'),
  },
  {
    path: '/how-to-use',
    title: 'How referrals work',
    load: () => import('../features/affiliates/HowToUsePage.tsx'),
  },
  {
    path: '/unsubscribe',
    title: 'Unsubscribe',
    load: () => import('../features/notifications/UnsubscribePage.tsx'),
  },
  {
    path: '/donate',
    title: 'Support us',
    load: () => import('../features/affiliates/DonatePage.tsx'),
  },
  {
    path: '/contact',
    title: 'Contact',
    load: () => import('../features/contact/ContactPage.tsx'),
  },
  {
    path: '/free-ad-credits',
    title: 'Free ad credits',
    load: () => import('../features/affiliates/FreeAdCreditsPage.tsx'),
  },
  {
    path: '/unavailable',
    title: 'Temporarily unavailable',
    load: () => import('./fallback/UnavailablePage.tsx'),
  },
  {
    path: '/removal',
    title: 'Content removal',
    load: () => import('../features/policies/RemovalPage.tsx'),
  },
  {
    path: '/complaints',
    title: 'Complaints',
    load: () => import('../features/policies/ComplaintsPage.tsx'),
  },
  {
    path: '/2257',
    title: '2257 record-keeping compliance',
    load: () => import('../features/policies/RecordKeepingPage.tsx'),
  },
  {
    path: '/privacy',
    title: 'Privacy policy',
    load: () => import('../features/policies/PrivacyPage.tsx'),
  },
  {
    path: '/refund-policy',
    title: 'Refund policy',
    load: () => import('../features/policies/RefundPolicyPage.tsx'),
  },
  {
    path: '/cancellation-policy',
    title: 'Cancellation policy',
    load: () => import('../features/policies/CancellationPolicyPage.tsx'),
  },
  {
    path: '/terms-and-conditions',
    title: 'Terms and conditions',
    load: () => import('../features/policies/TermsPage.tsx'),
  },
  {
    path: '/terms',
    title: 'Terms and conditions',
    load: () => import('../features/policies/TermsPage.tsx'),
  },
  {
    path: '/anti-trafficking',
    title: 'Anti-trafficking policy',
    load: () => import('../features/policies/AntiTraffickingPage.tsx'),
  },
  {
    path: '/content-moderation',
    title: 'Content moderation',
    load: () => import('../features/policies/ContentModerationPage.tsx'),
  },
]
