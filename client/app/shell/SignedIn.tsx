import { useEffect } from 'react'
import { LiveMessages } from '../../features/messaging/parts/LiveMessages.tsx'
import type { KEPT_KEY } from '../../features/promotion/visits/counting.ts'
import { useSession } from '../../lib/session.tsx'
import { store } from '../../lib/storage.ts'

/** What goes on for whoever is logged in, whichever page they are on: messages come in, and visits become theirs. */
export default function SignedIn() {
  const { currentUser } = useSession()
  useClaim(currentUser?._id)
  return <LiveMessages />
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
