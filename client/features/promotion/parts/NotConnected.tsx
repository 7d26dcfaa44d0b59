import { useCurrentUser } from '../../../lib/session.tsx'
import { ConnectPrompt } from './ConnectPrompt.tsx'
import styles from './parts.module.css'
import { connectTexts as texts } from './texts.ts'

/**
 * On pages that everybody may look at, without a forum account: what connecting one gives a creator, or that it takes one.
 * With `about` it is all that there is on the page.
 */
export function NotConnected({ about }: { about?: string }) {
  const { isCreator } = useCurrentUser()
  if (!isCreator) return <p className={styles.quiet}>{texts.creatorsOnly}</p>
  return <ConnectPrompt {...(about ? { about, isMain: true } : {})} />
}
