import { paths } from '../../lib/paths.ts'
import type { Person } from '../../lib/session.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import styles from './LandingPage.module.css'
import { welcomeTexts as texts } from './texts.ts'

/** In place of why to come: where somebody who is logged in goes on. */
export function WelcomeBack({ person }: { person: Person }) {
  return (
    <section className={styles.welcome}>
      <h1 className={styles.heading}>{texts.title(person.firstName)}</h1>
      <div className={styles.actions}>
        <LinkButton to={paths.dashboard} size="lg">
          {texts.dashboard}
        </LinkButton>
        <LinkButton to={paths.discover} size="lg" variant="default">
          {texts.browse}
        </LinkButton>
      </div>
    </section>
  )
}
