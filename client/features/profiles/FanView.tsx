import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import styles from './FanView.module.css'
import { fanViewTexts as texts } from './fan-view-texts.ts'

/**
 * Says that the owner looks at their profile with other eyes, and leads back. It comes with its texts when it is asked for,
 * as visitors never see it.
 */
export default function FanView({ username }: { username: string }) {
  return (
    <aside className={styles.fanView} aria-label={texts.label}>
      <p>{texts.about}</p>
      <LinkButton to={paths.profile(username)} variant="default" size="sm">
        {texts.leave}
      </LinkButton>
    </aside>
  )
}
