import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { OperatorAccount, OperatorEmail } from '../../ui/OperatorContact.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { MantineScope } from '../../ui/theme/MantineScope.tsx'
import { ContactForm } from './ContactForm.tsx'
import styles from './ContactPage.module.css'

/** How to reach the operator, with a form that mails. */
export function Component() {
  const { operator } = useOperator()
  return (
    <Page title="Contact" lead="Write to us. A person reads it and answers.">
      <div className={styles.columns}>
        <MantineScope>
          <ContactForm />
        </MantineScope>
        <aside className={styles.ways} aria-label="Other ways to reach us">
          <div>
            <h2 className={styles.title}>Email</h2>
            <p className={styles.way}>
              <OperatorEmail />
            </p>
            <p className={styles.quiet}>{operator}</p>
          </div>
          <div>
            <h2 className={styles.title}>Official account</h2>
            <p className={styles.way}>
              <OperatorAccount />
            </p>
            <p className={styles.quiet}>Also if your confirmation mail does not arrive.</p>
          </div>
          <div>
            <h2 className={styles.title}>Is it about content?</h2>
            <p className={styles.way}>
              <TextLink to={paths.removal}>Have something removed</TextLink> or{' '}
              <TextLink to={paths.complaints}>make a complaint</TextLink>. Both have deadlines that we must
              keep.
            </p>
          </div>
        </aside>
      </div>
    </Page>
  )
}
