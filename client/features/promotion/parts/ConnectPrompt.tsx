import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { Card } from '../../../ui/Card.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import styles from './parts.module.css'
import { connectTexts as texts } from './texts.ts'
import { useForum } from './use-forum.ts'

/** For a creator without a forum account: what connecting one gives, and the way there. */
export function ConnectPrompt() {
  const { name, available } = useForum()
  if (!available) return <p className={styles.quiet}>{texts.unavailable(name)}</p>
  return (
    <Card>
      <section className={styles.part} aria-label={texts.title(name)}>
        <h2 className={styles.title}>{texts.title(name)}</h2>
        <p className={styles.quiet}>{texts.about}</p>
        <div>
          <LinkButton to={promotionPaths.accounts}>{texts.connect}</LinkButton>
        </div>
      </section>
    </Card>
  )
}
