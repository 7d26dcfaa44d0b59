import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { isOperator } from '../../../contract/permissions.ts'
import { earningsQuery } from '../../features/commerce/earnings/api.ts'
import { newMediaQuery } from '../../features/media/library/api.ts'
import { PopularCreators } from '../../features/media/parts/creators/CreatorRow.tsx'
import { firstMediaQuery } from '../../features/media/parts/first-items.ts'
import { paths } from '../../lib/paths.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { isAdmitted, type Person } from '../../lib/session.tsx'
import { Fetched } from '../../ui/Fetched.tsx'
import { dayOf, formatCount } from '../../ui/format.ts'
import { useList } from '../../ui/list/use-list.ts'
import { MediaGridSkeleton } from '../../ui/MediaGrid.tsx'
import { Section } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { WaitingList } from '../dashboard/WaitingList.tsx'
import { waitingQuery } from '../dashboard/waiting.ts'
import { waitingTexts } from '../dashboard/waiting-texts.ts'
import styles from './OwnHome.module.css'
import { Tiles } from './Tiles.tsx'
import { welcomeTexts as texts } from './texts.ts'

/** As many tiles as fill two lines of a desk. */
const SHOWN = 8

/** The front page for people who are logged in: open tasks, news from those they follow, and other creators. */
export function OwnHome({ person }: { person: Person }) {
  return isAdmitted(person) ? <Own person={person} /> : <Everybody without={[]} />
}

/** Nothing is shown before it is known what stands above it. */
function Own({ person }: { person: Person }) {
  const waiting = useQuery(waitingQuery)
  const today = useQuery({ ...earningsQuery(dayOf(serverNow())), enabled: person.isCreator })
  const fresh = useList(newMediaQuery)
  if (waiting.isPending || fresh.isPending || today.isLoading)
    return <MediaGridSkeleton tiles={SHOWN} ratio={1} />
  const shown = fresh.items.slice(0, SHOWN)
  return (
    <>
      {person.isCreator && (
        <Fetched query={today} waiting={null} failed={texts.todayFailed}>
          {([sold]) => (
            <Link to={paths.earnings} className={styles.today}>
              <span className={styles.label}>{texts.today}</span>
              <span className={styles.sold}>
                {sold ? texts.sold(sold.share, formatCount(sold.sales, 'sale')) : texts.nothingSold}
              </span>
            </Link>
          )}
        </Fetched>
      )}
      <Fetched query={waiting} waiting={null} failed={waitingTexts.loadFailed}>
        {(things) => things.length > 0 && <WaitingList title={waitingTexts.own} things={things} />}
      </Fetched>
      <Fetched
        query={{ ...fresh, data: shown.length > 0 || !fresh.error ? shown : undefined }}
        waiting={null}
        failed={texts.freshFailed}
      >
        {(items) =>
          items.length > 0 && (
            <Section
              title={texts.fresh}
              action={
                !person.isCreator &&
                !isOperator(person) && <TextLink to={paths.dashboard}>{texts.allFresh}</TextLink>
              }
            >
              <Tiles items={items} />
            </Section>
          )
        }
      </Fetched>
      <Everybody without={shown} />
    </>
  )
}

/** Creators and their items for who wants to see more than what they follow. */
function Everybody({ without }: { without: readonly { _id: string }[] }) {
  const popular = useQuery(firstMediaQuery(2 * SHOWN, 'popular'))
  const known = new Set(without.map(({ _id }) => _id))
  return (
    <Section title={texts.popular} action={<TextLink to={paths.discover}>{texts.browse}</TextLink>}>
      <PopularCreators />
      <Fetched
        query={popular}
        waiting={<MediaGridSkeleton tiles={SHOWN} ratio={1} />}
        failed={texts.popularFailed}
      >
        {({ items }) => <Tiles items={items.filter(({ _id }) => !known.has(_id)).slice(0, SHOWN)} />}
      </Fetched>
    </Section>
  )
}
