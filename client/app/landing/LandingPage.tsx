import { useBrandName, useConfig } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MediaGridSkeleton } from '../../ui/MediaGrid.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './LandingPage.module.css'
import { landingTexts, promotionTexts } from './texts.ts'
import { WelcomeBack } from './WelcomeBack.tsx'
import { WorkdayCard } from './WorkdayCard.tsx'

/** How many of the newest items are shown. */
const NEWEST = 4

const NewestPieces = lazyPart(
  () => import('./NewestPieces.tsx').then((module) => module.NewestPieces),
  // The places of a row of creators and of the items.
  <div>
    <div className={styles.creators} />
    <MediaGridSkeleton tiles={NEWEST} ratio={1} />
  </div>,
)

/** The front door: what this is, for creators first, and the way in (docs/product.md, Pages); what is new for who is in already. */
export function Component() {
  const brand = useBrandName()
  const { currentUser } = useSession()
  if (currentUser) return <WelcomeBack person={currentUser} />
  return (
    <div className="first-page">
      <PageTitle>{brand}</PageTitle>
      <Pitch />
    </div>
  )
}

/** For visitors: why to come, for creators and for fans. */
function Pitch() {
  const hasForum = useConfig()?.forum.available ?? false
  const { heading, reasons } = hasForum ? promotionTexts : landingTexts.selling
  return (
    <>
      <section className="first-hero">
        <div>
          <h1 className="first-headline">
            {landingTexts.headline.map((line) => (
              <span key={line}>{line} </span>
            ))}
          </h1>
          <p className="first-lead">{landingTexts.lead}</p>
          <div className={styles.actions}>
            <LinkButton to={paths.signup} size="lg">
              {landingTexts.start}
            </LinkButton>
            <LinkButton to={paths.discover} size="lg" variant="default">
              {landingTexts.browse}
            </LinkButton>
            <p className={styles.login}>
              {landingTexts.haveAccount} <TextLink to={paths.login}>{landingTexts.logIn}</TextLink>
            </p>
          </div>
        </div>
        <WorkdayCard hasForum={hasForum} />
      </section>

      <section className={styles.reasons} aria-labelledby="reasons">
        <h2 id="reasons" className={styles.heading}>
          {heading}
        </h2>
        <ol className={styles.list}>
          {[...reasons, landingTexts.payment].map(({ title, text }) => (
            <li key={title} className={styles.reason}>
              <h3 className={styles.reasonTitle}>{title}</h3>
              <p className={styles.reasonText}>{text}</p>
            </li>
          ))}
        </ol>
      </section>

      <section className={styles.fans}>
        <div className={styles.fansWords}>
          <h2 className={styles.heading}>{landingTexts.fans}</h2>
          <p className={styles.fansText}>{landingTexts.fansHint}</p>
          <LinkButton to={paths.discover} size="lg" variant="default">
            {landingTexts.browse}
          </LinkButton>
        </div>
        <NewestPieces count={NEWEST} />
      </section>
    </>
  )
}
