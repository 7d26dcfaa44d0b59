import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './affiliates.module.css'
import { adCreditsTexts } from './texts.tsx'

/** The offer of ad credits for early supporters (docs/product.md, Limits). */
export function Component() {
  const { brand } = useOperator()
  return (
    <Page title={adCreditsTexts.title} lead={adCreditsTexts.lead(brand)} width="text">
      <p className={styles.offer}>
        <span className={styles.amount}>{adCreditsTexts.amount}</span>
        <span className={styles.per}>{adCreditsTexts.per}</span>
      </p>
      <div className={styles.text}>
        <p>{adCreditsTexts.program}</p>
        <p>
          <strong>{adCreditsTexts.include}</strong> {adCreditsTexts.why}
        </p>
        <p>
          {adCreditsTexts.terms((words) => (
            <TextLink to={paths.refundPolicy}>{words}</TextLink>
          ))}
        </p>
        <p>{adCreditsTexts.how}</p>
        <div className={styles.actions}>
          <LinkButton to={paths.donate}>{adCreditsTexts.donate}</LinkButton>
          <LinkButton to={paths.contact} variant="default">
            {adCreditsTexts.ask}
          </LinkButton>
        </div>
      </div>
    </Page>
  )
}
