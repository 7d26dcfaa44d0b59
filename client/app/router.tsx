import { createBrowserRouter, type RouteObject } from 'react-router'
import { LoadingScreen } from '../ui/LoadingScreen.tsx'
import { PageError } from './fallback/PageError.tsx'
import type { PageRoute } from './page-route.ts'
import { publicRoutes } from './routes-public.ts'
import { Shell } from './shell/Shell.tsx'

const SHELL = 'shell'

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
  const routes: RouteObject[] = [
    {
      id: SHELL,
      Component: Shell,
      HydrateFallback: LoadingScreen,
      errorElement: <PageError />,
      children: [
        ...publicRoutes.map(routeObject),
        { path: '*', lazy: () => import('./fallback/NotFoundPage.tsx') },
      ],
    },
  ]
  let known = false
  return createBrowserRouter(routes, {
    // Most visitors never open the dashboard, so its table comes with the first of its pages.
    patchRoutesOnNavigation: async ({ path, patch }) => {
      if (known || !isDashboard(path)) return
      const { dashboardRoutes, DashboardScope } = await import('./routes-dashboard.tsx')
      if (known) return
      known = true
      patch(SHELL, [{ Component: DashboardScope, children: dashboardRoutes.map(routeObject) }])
    },
  })
}

const isDashboard = (path: string) => /^\/dashboard(\/|$)/i.test(path)
