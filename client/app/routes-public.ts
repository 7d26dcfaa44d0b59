import { paths } from '../lib/paths.ts'
import type { PageRoute } from './page-route.ts'

const visitor = { who: 'visitor' } as const
const userOrLogin = { who: 'user', to: paths.login, keepPath: true } as const
const userOrHome = { who: 'user', to: paths.home } as const

/** The pages outside the dashboard that most visits open (docs/product.md, Pages); `routes-occasional.ts` has the others. */
export const publicRoutes: readonly PageRoute[] = [
  { path: '/', title: 'Home', load: () => import('./landing/LandingPage.tsx') },
  {
    path: '/login',
    title: 'Log in',
    guard: visitor,
    load: () => import('../features/identity/login/LoginPage.tsx'),
  },
  {
    path: '/signup',
    title: 'Sign up',
    guard: visitor,
    load: () => import('../features/identity/signup/SignupPage.tsx'),
  },
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
    path: '/discover',
    title: 'Browse all content',
    load: () => import('../features/media/discover/DiscoverPage.tsx'),
  },
  {
    path: '/users/:username',
    title: 'Profile',
    begin: (params) => void import('./begin-profile.ts').then((module) => module.beginProfile(params)),
    load: () => import('./pages/ProfilePage.tsx'),
  },
  { path: '/media/:mediaId', title: 'Media', load: () => import('./pages/MediaPage.tsx') },
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
    title: 'Restricted in your region',
    load: () => import('../features/gate/RestrictedPage.tsx'),
  },
  {
    path: '/agecheck',
    title: 'Age check',
    load: () => import('../features/gate/AgeCheckPage.tsx'),
  },
]
