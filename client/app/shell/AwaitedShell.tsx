import { Link } from 'react-router'
import { useConfig } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { LoadingScreen } from '../../ui/LoadingScreen.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { SandboxBanner } from './SandboxBanner.tsx'
import { navigationTexts } from './texts.ts'

/** The document keeps the banner's place until the settings say that there is one. */
const HAS_BANNER = document.querySelector('.first-look[data-banner]') !== null

/** In the shell's place until it is known who is here: for somebody logged in a bar like the document's (client/build/first-look.ts). */
export function AwaitedShell() {
  const { token } = useSession()
  const config = useConfig()
  if (token === null) return <LoadingScreen />
  return (
    <>
      <SandboxBanner />
      <div className="first-look" data-banner={(!config && HAS_BANNER) || undefined}>
        <header className="first-bar">
          <nav aria-label={navigationTexts.main}>
            <Link className="first-brand" to={paths.home}>
              <Logo />
            </Link>
            <span className="first-awaited" />
          </nav>
        </header>
      </div>
      <LoadingScreen />
    </>
  )
}
