import { watchVersion } from '../lib/new-version.ts'
import { toast } from '../ui/toast.ts'
import { brokenTexts } from './shell/texts.ts'

/** Offers the newer version once the server has one; what is typed stays until the person says so or opens another page. */
export function offerNewVersion(): void {
  watchVersion(() =>
    toast.stays(brokenTexts.newVersion, {
      label: brokenTexts.reloadShort,
      onAct: () => location.reload(),
    }),
  )
}
