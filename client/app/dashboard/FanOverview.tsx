import { IconPhotoHeart } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { singleOf } from '../../features/commerce/parts/buyable.ts'
import { usePurchase } from '../../features/commerce/parts/purchase.tsx'
import { newMediaQuery } from '../../features/media/library/api.ts'
import { CardGrid, CardGridSkeleton } from '../../features/media/library/CardGrid.tsx'
import { useOpenMedia } from '../../features/media/parts/use-open-media.ts'
import { ViewableWall } from '../../features/media/parts/wall/ViewableWall.tsx'
import { FollowButton } from '../../features/profiles/FollowButton.tsx'
import { creatorsToFollowQuery } from '../../features/profiles/people/api.ts'
import { paths } from '../../lib/paths.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Fetched } from '../../ui/Fetched.tsx'
import { formatDate } from '../../ui/format.ts'
import { useList } from '../../ui/list/use-list.ts'
import { Section } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './FanOverview.module.css'
import { homeTexts as texts } from './texts.ts'
import { WaitingList } from './WaitingList.tsx'
import { waitingQuery } from './waiting.ts'
import { waitingTexts } from './waiting-texts.ts'

/**
 * A fan's open tasks, news from those they follow and subscribe to, and while there is little of that, suggestions
 * whom to follow. Open tasks stand first, so photos wait until the tasks are known; if the server failed to answer, the tasks
 * stand below.
 */
export function FanOverview() {
  const { buy, dialog } = usePurchase()
  const open = useOpenMedia((media) => buy(singleOf(media)))
  const { first } = useList(newMediaQuery)
  const waiting = useQuery(waitingQuery)
  // Where photos are looked at, nothing is put above them anymore.
  const [place, setPlace] = useState<'above' | 'below'>()
  if (place === undefined && (waiting.data || waiting.failureCount > 0))
    setPlace(waiting.data ? 'above' : 'below')
  // Decided once per visit: the suggestions stay while one follows one after the other.
  const [suggests, setSuggests] = useState<boolean>()
  if (suggests === undefined && first) setSuggests(!first.hasMore)
  // A title that what waits would push down is not there either.
  if (place === undefined) return <CardGridSkeleton />
  const needs = (
    <Fetched
      query={waiting}
      waiting={null}
      failed={waitingTexts.loadFailed}
      around={(failure) => <Card>{failure}</Card>}
    >
      {(things) => things.length > 0 && <WaitingList title={waitingTexts.own} things={things} />}
    </Fetched>
  )
  return (
    <>
      {place === 'above' && needs}
      <Section title={texts.fresh} action={<TextLink to={paths.yourContent}>{texts.yourContent}</TextLink>}>
        <ViewableWall
          label={texts.list}
          query={newMediaQuery}
          onLocked={open}
          waiting={<CardGridSkeleton />}
          byButton
          empty={
            <EmptyState Icon={IconPhotoHeart} title={texts.nothingTitle}>
              {texts.nothing}
            </EmptyState>
          }
        >
          {(items, open) => (
            <CardGrid
              label={texts.list}
              items={items}
              open={open}
              eager={3}
              note={({ createdAt }) => <span className={styles.date}>{formatDate(createdAt)}</span>}
            />
          )}
        </ViewableWall>
      </Section>
      {place === 'below' && <div className={styles.needs}>{needs}</div>}
      {suggests && <CreatorsToFollow />}
      {dialog}
    </>
  )
}

function CreatorsToFollow() {
  const { data = [] } = useQuery({
    ...creatorsToFollowQuery,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (data.length === 0) return null
  return (
    <Section title={texts.toFollow}>
      <ul className={styles.people} aria-label={texts.toFollow}>
        {data.map(({ _id, username, profileImage }) => (
          <li key={_id} className={styles.person}>
            <Link className={styles.creator} to={paths.profile(username)}>
              <Avatar src={profileImage} name={username} size={44} />
              <span className={styles.name}>{username}</span>
            </Link>
            <FollowButton creatorId={_id} quiet />
          </li>
        ))}
      </ul>
    </Section>
  )
}
