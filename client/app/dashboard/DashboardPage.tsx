import { DECIDING, isOperator } from '../../../contract/permissions.ts'
import { useConfig } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { may, useCurrentUser } from '../../lib/session.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { AffiliateBox } from './AffiliateBox.tsx'
import styles from './DashboardPage.module.css'
import { Decisions } from './Decisions.tsx'
import { FanOverview } from './FanOverview.tsx'
import { HubSection } from './HubSection.tsx'
import { hubSections } from './hub.ts'
import { NextSteps } from './NextSteps.tsx'
import { RecentSales } from './RecentSales.tsx'
import { homeTexts, hubTexts } from './texts.ts'

/** Only until a forum account is connected. */
const ConnectPrompt = lazyPart(() =>
  import('../../features/promotion/parts/ConnectPrompt.tsx').then((module) => module.ConnectPrompt),
)

/** At the end of a page that everybody opens, for a step that few take. */
const DeleteAccount = lazyPart(() =>
  import('../../features/profiles/privacy/DeleteAccount.tsx').then((module) => module.default),
)

/** The hub: what happened, what needs me, what do I do next; then every tool (docs/product.md, Pages). */
export function Component() {
  const person = useCurrentUser()
  const hasForum = useConfig()?.forum.available ?? false
  const operator = isOperator(person) && !person.isCreator
  const decides = DECIDING.some((permission) => may(person, permission))
  // People with few links, which need no folding.
  const isFan = !person.isCreator && !operator
  return (
    <Page
      title={homeTexts.hello(person.firstName)}
      lead={operator && (decides ? homeTexts.operatorLead : homeTexts.helperLead)}
      action={
        person.isCreator ? (
          <LinkButton to={paths.uploadBulk}>{hubTexts.upload}</LinkButton>
        ) : (
          !operator && <LinkButton to={paths.discover}>{homeTexts.browse}</LinkButton>
        )
      }
    >
      {person.isCreator ? (
        <div className={styles.overview}>
          <div className={styles.next}>
            <NextSteps person={person} />
          </div>
          <div className={styles.sales}>
            <RecentSales person={person} />
          </div>
          {hasForum && !person.forumConnected && (
            <div className={styles.connect}>
              <ConnectPrompt reconnects />
            </div>
          )}
          <div className={styles.refer}>
            <AffiliateBox person={person} />
          </div>
        </div>
      ) : operator ? (
        <Decisions person={person} />
      ) : (
        <FanOverview />
      )}

      <div className={styles.hub}>
        {hubSections(person, { hasForum }).map((section, index) => (
          <HubSection key={section.title} section={section} open={index === 0 || isFan} />
        ))}
      </div>

      {isFan && (
        <div className={styles.below}>
          <AffiliateBox person={person} />
        </div>
      )}
      <div className={styles.leave}>
        <DeleteAccount person={person} />
      </div>
    </Page>
  )
}
