import { createBrowserRouter, type RouteObject } from 'react-router'
import { LoadingScreen } from '../ui/LoadingScreen.tsx'
import type { PageRoute } from './page-route.ts'
import { PageError } from './pages/PageError.tsx'
import { dashboardRoutes } from './routes-dashboard.ts'
import { publicRoutes } from './routes-public.ts'
import { Shell } from './shell/Shell.tsx'

function routeObject(page: PageRoute): RouteObject {
  const { path, guard, begin, load } = page
  return {
    path,
    handle: page,
    errorElement: <PageError />,
    ...(begin ? { loader: ({ params }) => begin(params) ?? null } : {}),
    lazy: async () => {
      if (!guard) return load()
      const [{ GuardedPage }, { Component: Inside }] = await Promise.all([
        import('./GuardedPage.tsx'),
        load(),
      ])
      return { Component: () => <GuardedPage guard={guard} title={page.title} Inside={Inside} /> }
    },
  }
}

/** Every page of the site inside the shell, each with its guard, loaded when it is opened. */
export function createRouter() {
  return createBrowserRouter([
    {
      Component: Shell,
      HydrateFallback: LoadingScreen,
      errorElement: <PageError />,
      children: [
        ...[...publicRoutes, ...dashboardRoutes].map(routeObject),
        { path: '*', lazy: () => import('./pages/NotFoundPage.tsx') },
      ],
    },
  ])
}
