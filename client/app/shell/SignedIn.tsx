import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageEvents, resumeUnsent } from '../../features/messaging/parts/live.ts'
import { catchUpNotifications, notificationEvents } from '../../features/notifications/api.ts'
import { timelineEvents } from '../../features/promotion/parts/live.ts'
import type { KEPT_KEY } from '../../features/promotion/visits/counting.ts'
import { isAdmitted, useSession } from '../../lib/session.tsx'
import { connect } from '../../lib/socket.ts'
import { store } from '../../lib/storage.ts'

/** What goes on for whoever is logged in, whichever page they are on: what they are told comes in, and visits become theirs. */
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
    const [messages, timeline] = [messageEvents(client, personId), timelineEvents(client)]
    return connect(token, {
      ...messages,
      ...notificationEvents(client),
      ...timeline,
      connected: () => {
        messages.connected()
        catchUpNotifications(client)
        timeline['timeline changed']()
      },
    })
  }, [token, personId, ended, client])
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
