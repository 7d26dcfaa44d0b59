import type { PageRoute } from './page-route.ts'

const visitor = { who: 'visitor' } as const

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
    path: '/discover',
    title: 'Discover',
    load: () => import('../features/media/discover/DiscoverPage.tsx'),
  },
  {
    path: '/users/:username',
    title: 'Profile',
    begin: (params) => void import('./begin-profile.ts').then((module) => module.beginProfile(params)),
    load: () => import('./pages/ProfilePage.tsx'),
  },
  { path: '/media/:mediaId', title: 'Media', load: () => import('./pages/MediaPage.tsx') },
]
