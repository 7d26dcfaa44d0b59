import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import type { z } from 'zod'
import type { Permission } from '../../contract/permissions.ts'
import type { CurrentUser } from '../../contract/routes/identity/account.ts'
import { call, logOut } from './api.ts'
import { pausePersonal, resetPersonal, roots } from './query.ts'
import { routes } from './routes.ts'
import {
  dropToken,
  endedToken,
  firstOf,
  readToken,
  renewToken,
  showPerson,
  subscribeToken,
  writeToken,
} from './token.ts'
import { forgetWish } from './wish.ts'

export type Person = z.output<typeof CurrentUser>

/** Whether this person's role allows it. */
export function may(person: Person | null, permission: Permission): boolean {
  return person?.permissions.includes(permission) ?? false
}

/** Whether the server accepts calls of this person: not with an unverified email or a missing second factor. */
export function isAdmitted(person: Person | null): boolean {
  return person?.verifiedEmail === 'verified' && person.secondFactor !== 'required'
}

/** The person using this browser (docs/product.md, Texts and Access). */
export type Session = {
  token: string | null
  currentUser: Person | null
  loggedIn: boolean
  userLoading: boolean
  /** The server couldn't be reached; the visitor counts as logged out until `retry` succeeds. */
  unreachable: boolean
  retry: () => void
  login: (token: string) => void
  /** The session ended elsewhere while this page stays as it is: the person has to log in again. */
  ended: boolean
  /** Continues with a new session of the same person and leaves the page as it is; false if another session followed the ended one. */
  resume: (ended: string, token: string) => boolean
  /** Ends the session on the server, then here. Throws an `ApiError` if the server can't be reached. */
  logout: () => Promise<void>
}

const SessionContext = createContext<Session | null>(null)

/** The cache key of the logged-in person. */
export const meKey = [...roots.identity, 'me'] as const

/** Holds the session: follows the token here and in other tabs, and reloads the person when it changes. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const token = useSyncExternalStore(subscribeToken, readToken)
  const client = useQueryClient()
  const me = useQuery({
    queryKey: [...meKey, firstOf(token)],
    meta: { keep: 'browser' },
    queryFn: ({ signal }) => call(routes.me, {}, { signal }),
    enabled: token !== null,
    staleTime: 0,
  })

  const endedOne = useSyncExternalStore(subscribeToken, endedToken)
  const ended = token !== null && endedOne === token
  const nobodyShown = me.data === undefined
  useEffect(() => {
    if (ended && nobodyShown) dropToken(token)
  }, [ended, nobodyShown, token])
  const isShown = token !== null && !nobodyShown
  useEffect(() => (isShown ? showPerson() : undefined), [isShown])

  const previousToken = useRef(token)
  useEffect(() => {
    const before = previousToken.current
    previousToken.current = token
    if (firstOf(before) !== firstOf(token)) {
      // What somebody wished to buy isn't for the next person, however the session ended.
      if (before !== null) forgetWish()
      resetPersonal(client)
    } else if (before !== token)
      // Refetches what failed before the same person logged in again, and the person; unsaved input stays.
      void client.invalidateQueries({
        predicate: ({ state, queryKey }) => state.status === 'error' || queryKey[1] === meKey[1],
      })
  }, [token, client])

  const logout = useCallback(async () => {
    // Requests of the page would be refused once the session ends.
    const paused = await pausePersonal(client)
    await logOut().catch((error: unknown) => {
      paused.resume()
      throw error
    })
  }, [client])

  const { refetch } = me
  const currentUser = token === null ? null : (me.data ?? null)
  const userLoading = token !== null && me.isPending
  const unreachable = token !== null && me.isError && currentUser === null
  const session = useMemo<Session>(
    () => ({
      token,
      currentUser,
      loggedIn: currentUser !== null,
      userLoading,
      unreachable,
      retry: () => void refetch(),
      login: writeToken,
      ended: ended && !nobodyShown,
      resume: renewToken,
      logout,
    }),
    [token, currentUser, userLoading, unreachable, refetch, ended, nobodyShown, logout],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The session of this browser. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above it.')
  return session
}

/** The logged-in person, for pages behind a guard that ensures there is one. */
export function useCurrentUser(): Person {
  const { currentUser } = useSession()
  if (!currentUser) throw new Error('useCurrentUser is for pages behind a login guard.')
  return currentUser
}
