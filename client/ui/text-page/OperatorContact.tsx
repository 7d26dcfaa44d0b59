import { useOperator } from '../../lib/operator.ts'
import styles from '../TextLink.module.css'
import { operatorTexts } from './texts.tsx'

/** The operator's email address as a link, within text; with the words given, if any, in place of the address. */
export function OperatorEmail({ children }: { children?: string }) {
  const { email } = useOperator()
  if (!email) return <span>{children ?? operatorTexts.email}</span>
  return (
    <a className={styles.link} href={`mailto:${email}`}>
      {children ?? email}
    </a>
  )
}

/** The operator's official account and where it is, within text. */
export function OperatorAccount() {
  const { forumAccount, forum } = useOperator()
  if (!forumAccount) return <span>{operatorTexts.account(forum)}</span>
  return <span>{operatorTexts.accountOn(<strong>{forumAccount}</strong>, forum)}</span>
}

/** Whom to message: the operator's page on a social site as a link, or the official account where there is none. */
export function OperatorSocial() {
  const { socialUrl } = useOperator()
  if (!socialUrl) return <OperatorAccount />
  return (
    <span>
      {operatorTexts.usOn(
        <a className={styles.link} href={socialUrl} rel="noreferrer">
          {new URL(socialUrl).hostname.replace(/^www\./, '')}
        </a>,
      )}
    </span>
  )
}

/** The operator's name and, where it is set, postal address, within text. */
export function OperatorAddress() {
  const { operator, address } = useOperator()
  return <span>{address ? `${operator}, ${address}` : operator}</span>
}
