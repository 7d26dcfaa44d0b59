import { IconAdjustments, IconCalendarPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { isDay } from '../../../../contract/wall-time.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { connection } from '../../../lib/socket.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { dayOf } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { Page } from '../../../ui/Page.tsx'
import { NotConnected } from '../parts/NotConnected.tsx'
import { queueQuery } from './api.ts'
import { ItemEditing } from './ItemEditing.tsx'
import { QueueNotices } from './QueueNotices.tsx'
import { FILTERS, type Filter, TimelineList } from './TimelineList.tsx'
import { timelineTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

const QueueDialog = lazyPart(() => import('./QueueDialog.tsx').then((module) => module.QueueDialog))
const TimelineDay = lazyPart(() => import('./TimelineDay.tsx').then((module) => module.TimelineDay))
const TimelineWeek = lazyPart(() => import('./TimelineWeek.tsx').then((module) => module.TimelineWeek))

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const VIEWS = ['list', 'week', 'day'] as const

/** Planned and past posts, as a list or a calendar; the view is in the address. */
export function Component() {
  const [address, change] = useAddress()
  const { forumConnected, isCreator } = useCurrentUser()
  // Without a connection what is shown is asked for again and again, from that moment on.
  useSyncExternalStore(connection.subscribe, connection.read)
  const queue = useQuery({ ...queueQuery, placeholderData: keepPreviousData })
  const [isEditing, setEditing] = useState(false)
  const editedBefore = useLatch(isEditing)
  const view = VIEWS.find((one) => one === address.get('view')) ?? 'list'
  const filter = FILTERS.find((one) => one === address.get('show')) ?? 'upcoming'
  const asked = address.get('day') ?? ''
  const day = isDay(asked) ? asked : dayOf(serverNow())
  const set = (name: string, value: string, usual: string) => change({ [name]: value === usual ? '' : value })
  const postId = UUID.test(address.get('post') ?? '') ? address.get('post') : null
  const setDay = (chosen: string) => set('day', chosen, dayOf(serverNow()))
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      action={
        isCreator && (
          <div className={styles.ways}>
            <LinkButton to={promotionPaths.slots} variant="default">
              {texts.slots}
            </LinkButton>
            <LinkButton to={promotionPaths.schedule} leftSection={<IconCalendarPlus size={16} aria-hidden />}>
              {texts.schedule}
            </LinkButton>
          </div>
        )
      }
    >
      {!forumConnected && (
        <div className={styles.prompt}>
          <NotConnected />
        </div>
      )}
      {queue.data && <QueueNotices queue={queue.data} />}
      <div className={styles.tools}>
        <FilterButtons
          label={texts.views}
          choices={VIEWS.map((value) => ({ value, label: texts.view[value] }))}
          value={view}
          onChange={(value) => set('view', value, 'list')}
        />
        {isCreator && (
          <Button
            variant="default"
            leftSection={<IconAdjustments size={18} stroke={1.75} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            {texts.queue}
          </Button>
        )}
      </div>
      <ItemEditing>
        {view === 'list' ? (
          <>
            <div className={styles.filters}>
              <FilterButtons<Filter>
                label={texts.shown}
                choices={FILTERS.map((value) => ({ value, label: texts.filters[value] }))}
                value={filter}
                onChange={(value) => set('show', value, 'upcoming')}
              />
            </div>
            {postId && (
              <p className={styles.ofPost}>
                {texts.ofPost}{' '}
                <Button variant="subtle" size="sm" onClick={() => set('post', '', '')}>
                  {texts.allPosts}
                </Button>
              </p>
            )}
            <TimelineList key={filter} filter={filter} postId={postId} />
          </>
        ) : view === 'week' ? (
          <TimelineWeek day={day} onChange={setDay} />
        ) : (
          <TimelineDay day={day} queue={queue.data} onChange={setDay} />
        )}
      </ItemEditing>
      {editedBefore && <QueueDialog opened={isEditing} onClose={() => setEditing(false)} />}
    </Page>
  )
}
