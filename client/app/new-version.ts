import { call, onBuild } from '../lib/api.ts'
import { routes } from '../lib/routes.ts'
import { toast } from '../ui/toast.ts'
import { brokenTexts } from './shell/texts.ts'

/** Offers the newer version once the server has one. It is loaded when the person says so: that loses what is typed. */
export function offerNewVersion(): void {
  const running = document.querySelector('script[type="module"]')?.getAttribute('src')
  let offered = false
  onBuild((build) => {
    if (offered || !build || !running || build === running) return
    offered = true
    toast.stays(brokenTexts.newVersion, {
      label: brokenTexts.reloadShort,
      onAct: () => location.reload(),
    })
  })
  // A part of this version can't be loaded: whether another took its place, any answer says. The offer is such a part.
  addEventListener('vite:preloadError', () => {
    if (!offered) call(routes.config).catch(() => undefined)
  })
}
