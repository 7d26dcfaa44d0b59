import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorAccount, OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { MantineScope } from '../../ui/theme/MantineScope.tsx'
import { ContactForm } from './ContactForm.tsx'
import styles from './ContactPage.module.css'
import { contactTexts } from './texts.ts'

/** How to reach the operator, with a form that mails. */
export function Component() {
  const { operator } = useOperator()
  return (
    <Page title={contactTexts.title} lead={contactTexts.lead} width="reading">
      <div className={styles.columns}>
        <MantineScope>
          <ContactForm />
        </MantineScope>
        <aside className={styles.ways} aria-label={contactTexts.others}>
          <div>
            <h2 className={styles.title}>{contactTexts.email}</h2>
            <p className={styles.way}>
              <OperatorEmail />
            </p>
            <p className={styles.quiet}>{operator}</p>
          </div>
          <div>
            <h2 className={styles.title}>{contactTexts.account}</h2>
            <p className={styles.way}>
              <OperatorAccount />
            </p>
            <p className={styles.quiet}>{contactTexts.accountHint}</p>
          </div>
          <div>
            <h2 className={styles.title}>{contactTexts.content}</h2>
            <p className={styles.way}>
              <TextLink to={paths.removal}>{contactTexts.removal}</TextLink> {contactTexts.or}{' '}
              <TextLink to={paths.complaints}>{contactTexts.complaint}</TextLink>
              {contactTexts.deadlines}
            </p>
          </div>
        </aside>
      </div>
    </Page>
  )
}
