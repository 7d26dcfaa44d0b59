import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useRef } from 'react'
import { Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { isExemptPath } from '../../../contract/regions.ts'
import { AgeScreen } from '../../features/gate/AgeScreen.tsx'
import { useVisitor } from '../../features/gate/visitor.tsx'
import { configQuery } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { afterAgeCheck } from '../../lib/redirect.ts'
import { isAdmitted, useSession } from '../../lib/session.tsx'
import { lazyExtra, lazyPart } from '../../ui/lazy-part.tsx'
import { useScheme } from '../../ui/theme/scheme.ts'
import { UnsavedChanges } from '../../ui/UnsavedChanges.tsx'
import { AwaitedShell } from './AwaitedShell.tsx'
import { Footer } from './Footer.tsx'
import { SandboxBanner } from './SandboxBanner.tsx'
import styles from './Shell.module.css'
import { scrollKey, scrollStorage } from './scroll.ts'
import { TopBar } from './TopBar.tsx'
import { navigationTexts } from './texts.ts'
import { UnreachableNotice } from './UnreachableNotice.tsx'

// A creator's pages have a bar of their own.
const FanBar = lazyExtra(() => import('./FanBar.tsx').then((module) => module.FanBar))
const EndedSession = lazyPart(() => import('./EndedSession.tsx').then((module) => module.default))

const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
const SCROLL = scrollStorage(navigation?.type, () => sessionStorage, location.pathname + location.search)

/** Everything around a page, and what stands in its place until the visitor may see one (docs/product.md, Access, visitor gate). */
export function Shell() {
  const { currentUser, userLoading, ended } = useSession()
  const { loading, isVerified, isRestrictedState } = useVisitor()
  // Waited for as well, so that the banner it may bring does not push the page down later; but only once: whatever
  // is drawn without it asks again.
  const config = useQuery(configQuery)
  const configLoading = config.isLoading && config.errorUpdateCount === 0
  const { pathname, search } = useLocation()
  useBrowserColor()

  if (userLoading || loading || configLoading) return <AwaitedShell />
  if (!isVerified && !isRestrictedState) {
    return <AgeScreen />
  }
  if (!isVerified && !isExemptPath(pathname)) return <Restricted asked={pathname + search} />
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page */}
      <a className={styles.skip} href="#content" onClick={skip}>
        {navigationTexts.skip}
      </a>
      <SandboxBanner />
      <TopBar />
      <UnreachableNotice />
      <Content pathname={pathname} />
      <Footer />
      {isAdmitted(currentUser) && !currentUser?.isCreator && !isRestrictedState && <FanBar />}
      {ended && <EndedSession />}
      <UnsavedChanges />
      <ScrollRestoration getKey={scrollKey} storageKey={SCROLL} />
    </>
  )
}

/** The router doesn't know an entry that the browser makes for a fragment, and couldn't hold up a way back from it. */
function skip(event: MouseEvent) {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

/** Leads to the page on restricted regions, and keeps what was asked for until the age is verified. */
function Restricted({ asked }: { asked: string }) {
  useEffect(() => afterAgeCheck.save(asked), [asked])
  return <Navigate to={paths.restricted} replace />
}

/** The page itself; takes the focus when another page is opened, so that it is read from its beginning. */
function Content({ pathname }: { pathname: string }) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // A page may have given it to one of its fields.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main id="content" ref={main} tabIndex={-1} className={styles.main}>
      <Outlet />
    </main>
  )
}

/** The bar of a phone's browser has the color of the page. */
function useBrowserColor() {
  const scheme = useScheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the color is read from the page, which follows the scheme.
  useEffect(() => {
    const color = getComputedStyle(document.documentElement).backgroundColor
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.setAttribute('content', color)
  }, [scheme])
}
