import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useMemo } from 'react'
import type { Routes } from '../../../contract/index.ts'
import type { Output } from '../../../contract/route.ts'
import { call } from '../../lib/api.ts'
import { answeredAtOnce } from '../../lib/initial-data.ts'
import { roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'
import { useSession } from '../../lib/session.tsx'

/** The visitor's known age and place (docs/product.md, Access, age check). */
export type Visitor = {
  isVerified: boolean
  verifiedBy: Output<Routes['ageVerified']>['verifiedBy']
  isRestrictedState: boolean
  /** The region as the server sees it, for example `Texas`. */
  ipLocation: string | null
  loading: boolean
  /** Says to be 18 or older. */
  confirmAge: () => void
  confirming: boolean
  /** Why the last confirmation did not arrive. */
  confirmError: unknown
}

/** Where the visitor seems to be. */
export const locationQuery = queryOptions({
  queryKey: [...roots.compliance, 'location'],
  meta: { keep: 'browser' },
  queryFn: ({ signal }) => call(routes.location, {}, { signal }),
  initialData: () => answeredAtOnce(routes.location),
  staleTime: Number.POSITIVE_INFINITY,
  retry: 1,
})

export const ageKey = [...roots.compliance, 'age'] as const

/** Whether the visitor, or the person of this token, may be shown content. */
export const ageQuery = (token: string | null) =>
  queryOptions({
    queryKey: [...ageKey, token],
    meta: { keep: 'browser' },
    queryFn: ({ signal }) => call(routes.ageVerified, {}, { signal }),
    initialData: () => (token === null ? answeredAtOnce(routes.ageVerified) : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })

const VisitorContext = createContext<Visitor | null>(null)

/** Asks once on load, and again when somebody logs in or out; any failure counts as not verified and not restricted. */
export function VisitorProvider({ children }: { children: ReactNode }) {
  const { token } = useSession()
  const client = useQueryClient()
  const age = useQuery({ ...ageQuery(token), placeholderData: keepPreviousData })
  const { ageVerified: isVerified = false, verifiedBy = null } = age.data ?? {}
  const place = useQuery({ ...locationQuery, enabled: !age.isPending && !isVerified })
  const confirmation = useMutation({
    mutationFn: () => call(routes.confirmAge),
    onSuccess: () =>
      client.setQueryData(ageQuery(token).queryKey, { ageVerified: true, verifiedBy: 'visitor' }),
  })

  const loading = age.isLoading || (!isVerified && place.isLoading)
  const { mutate, isPending, error } = confirmation
  const visitor = useMemo<Visitor>(
    () => ({
      isVerified,
      verifiedBy,
      isRestrictedState: !isVerified && (place.data?.restricted ?? false),
      ipLocation: place.data?.region ?? null,
      loading,
      confirmAge: () => mutate(),
      confirming: isPending,
      confirmError: error,
    }),
    [isVerified, verifiedBy, place.data, loading, mutate, isPending, error],
  )
  return <VisitorContext value={visitor}>{children}</VisitorContext>
}

/** The visitor's age and place. */
export function useVisitor(): Visitor {
  const visitor = use(VisitorContext)
  if (!visitor) throw new Error('useVisitor needs a VisitorProvider above it.')
  return visitor
}
