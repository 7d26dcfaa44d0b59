import { createBrowserRouter, createPath, matchPath, type RouteObject } from 'react-router'
import { PageError } from './fallback/PageError.tsx'
import { type Destination, loadsNextWhole, loadWhole, pageOrWhole } from './new-version.ts'
import type { PageRoute } from './page-route.ts'
import { isPromotion } from './promotion.ts'
import { publicRoutes } from './routes-public.ts'
import { AwaitedShell } from './shell/AwaitedShell.tsx'
import { Shell } from './shell/Shell.tsx'

const SHELL = 'shell'

let router: ReturnType<typeof createBrowserRouter> | undefined

/** Where the navigation leads that is under way; null while the first page is loaded. */
function destination(): Destination | null {
  if (!router?.state.initialized) return null
  const { location: next = location, historyAction } = router.state.navigation
  return { address: createPath(next), replaces: historyAction === 'REPLACE' }
}

/** Its failures stand in its place. Around it, as the router draws nothing for a route whose own code could not be loaded. */
const bounded = (route: RouteObject): RouteObject => ({ errorElement: <PageError />, children: [route] })

function routeObject(page: PageRoute): RouteObject {
  const { path, guard, begin, load } = page
  return bounded({
    path,
    handle: page,
    ...(begin ? { loader: ({ params }) => begin(params) ?? null } : {}),
    lazy: () =>
      pageOrWhole(async () => {
        if (!guard) return load()
        const [{ GuardedPage }, { Component: Inside }] = await Promise.all([
          import('./GuardedPage.tsx'),
          load(),
        ])
        return { Component: () => <GuardedPage guard={guard} title={page.title} Inside={Inside} /> }
      }, destination),
  })
}

/** Every page of the site inside the shell, each with its guard, loaded when it is opened. */
export function createRouter() {
  const routes: RouteObject[] = [
    {
      id: SHELL,
      Component: Shell,
      // With a newer version there, the next page is not drawn by this one; the first page is, whatever answers say.
      loader: () => {
        const next = destination()
        return next !== null && loadsNextWhole() ? loadWhole(next) : null
      },
      shouldRevalidate: ({ currentUrl, nextUrl }) =>
        loadsNextWhole() && currentUrl.pathname !== nextUrl.pathname,
      HydrateFallback: AwaitedShell,
      errorElement: <PageError />,
      children: [
        ...publicRoutes.map(routeObject),
        bounded({
          path: '*',
          lazy: () => pageOrWhole(() => import('./fallback/NotFoundPage.tsx'), destination),
        }),
      ],
    },
  ]
  const known = new Set<typeof dashboardPages>()
  router = createBrowserRouter(routes, {
    // Pages that most visitors never open come with their table, when the first of them is.
    patchRoutesOnNavigation: async ({ path, patch, signal }) => {
      const pages = isPromotion(path) ? promotionPages : isDashboard(path) ? dashboardPages : occasionalPages
      if (known.has(pages) || publicRoutes.some((page) => matchPath(page.path, path))) return
      const more = await pageOrWhole(pages, destination)
      // A navigation that another has overtaken patches nothing; the other one asks by itself.
      if (signal.aborted || known.has(pages)) return
      patch(SHELL, more)
      known.add(pages)
    },
  })
  return router
}

const fieldsScope = () =>
  pageOrWhole(
    async () => ({ Component: (await import('./dashboard/FieldsScope.tsx')).FieldsScope }),
    destination,
  )

async function dashboardPages(): Promise<RouteObject[]> {
  const { dashboardRoutes, DashboardScope } = await import('./routes-dashboard.tsx')
  const plain = dashboardRoutes.filter((page) => page.plain).map(routeObject)
  const others = dashboardRoutes.filter((page) => !page.plain).map(routeObject)
  return [
    { Component: DashboardScope, children: [...plain, bounded({ lazy: fieldsScope, children: others })] },
  ]
}

async function promotionPages(): Promise<RouteObject[]> {
  const [{ promotionRoutes, PromotionScope }, { DashboardScope }] = await Promise.all([
    import('./routes-promotion.tsx'),
    import('./routes-dashboard.tsx'),
  ])
  const scoped = [{ Component: PromotionScope, children: promotionRoutes.map(routeObject) }]
  return [{ Component: DashboardScope, children: [bounded({ lazy: fieldsScope, children: scoped })] }]
}

async function occasionalPages(): Promise<RouteObject[]> {
  const { occasionalRoutes } = await import('./routes-occasional.ts')
  return occasionalRoutes.map(routeObject)
}

const isDashboard = (path: string) => /^\/(dashboard|customs|books|searchfans)(\/|$)/i.test(path)
