import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { purchaseEvents } from '../../features/commerce/parts/live.ts'
import { messageEvents, resumeUnsent } from '../../features/messaging/parts/live.ts'
import { catchUpNotifications, notificationEvents } from '../../features/notifications/api.ts'
import type { timelineEvents } from '../../features/promotion/parts/live.ts'
import type { KEPT_KEY } from '../../features/promotion/visits/counting.ts'
import { roots } from '../../lib/query.ts'
import { isAdmitted, useSession } from '../../lib/session.tsx'
import { connect } from '../../lib/socket.ts'
import { store } from '../../lib/storage.ts'

/** Background work for logged-in people on every page: receives notifications, and assigns earlier visits to them. */
export default function SignedIn() {
  const { currentUser } = useSession()
  useClaim(currentUser?._id)
  useConnection()
  return null
}

/** Keeps the connection of who is logged in, and puts what it tells wherever it is shown. */
function useConnection(): void {
  const { token, currentUser, ended } = useSession()
  const client = useQueryClient()
  const personId = currentUser && isAdmitted(currentUser) ? currentUser._id : null
  useEffect(() => {
    if (!token || !personId || ended) return
    resumeUnsent(personId)
    const [messages, onTimelineChanged] = [messageEvents(client, personId), timelineChanges(client)]
    const [notifications, purchases] = [notificationEvents(client), purchaseEvents(client)]
    return connect(token, {
      ...messages,
      ...notifications,
      notification: (event) => {
        notifications.notification(event)
        purchases.notification(event)
        messages.notification(event)
      },
      'timeline changed': onTimelineChanged,
      connected: () => {
        messages.connected()
        void catchUpNotifications(client).then((missed) => missed && purchases.missed())
        onTimelineChanged()
      },
    })
  }, [token, personId, ended, client])
}

/** Has what was shown of the timeline asked for again; the code for that comes once there is any. */
function timelineChanges(client: QueryClient): () => void {
  let loading: Promise<ReturnType<typeof timelineEvents>> | undefined
  return () => {
    if (client.getQueryCache().findAll({ queryKey: roots.promotion }).length === 0) return
    loading ??= import('../../features/promotion/parts/live.ts').then((module) =>
      module.timelineEvents(client),
    )
    loading.then(
      (events) => events['timeline changed'](),
      () => {
        loading = undefined
      },
    )
  }
}

/** Says that the posts’ links which this browser followed were followed by who is logged in now. */
function useClaim(person: string | undefined): void {
  useEffect(() => {
    if (person === undefined || !store.getItem('postVisits' satisfies typeof KEPT_KEY)) return
    void import('../../features/promotion/visits/VisitPage.tsx').then(
      ({ claim }) => claim(),
      () => undefined,
    )
  }, [person])
}
