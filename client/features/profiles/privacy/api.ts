import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { blockingRoutes } from '../../../../contract/routes/profiles/blocking.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import type { Reauthenticate } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'

export type GeoBlock = Output<typeof blockingRoutes.geoBlock>

/** The places from which the logged-in creator can't be seen. */
export const geoBlockQuery = queryOptions({
  queryKey: [...roots.profiles, 'geo-block'],
  queryFn: ({ signal }) => call(routes.geoBlock, {}, { signal }),
})

/** Sets these places. */
export function useSetGeoBlock() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: GeoBlock) => call(routes.setGeoBlock, { body }),
    onSuccess: (answer) => client.setQueryData(geoBlockQuery.queryKey, answer),
  })
}

/** A setting that is on or off. */
export type SettingQuery = typeof watermarkQuery | typeof discoverableQuery

/** Whether the viewer's username is shown on what the logged-in creator sells. */
export const watermarkQuery = queryOptions({
  queryKey: [...roots.profiles, 'watermark'],
  queryFn: ({ signal }) => call(routes.watermark, {}, { signal }),
})

/** Turns that on or off. */
export function useSetWatermark() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) => call(routes.setWatermark, { body: { enabled } }),
    onSuccess: (answer) => client.setQueryData(watermarkQuery.queryKey, answer),
  })
}

/** Whether everybody finds the logged-in person. */
export const discoverableQuery = queryOptions({
  queryKey: [...roots.profiles, 'discoverable'],
  queryFn: ({ signal }) => call(routes.discoverable, {}, { signal }),
})

/** Turns that on or off. */
export function useSetDiscoverable() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) => call(routes.setDiscoverable, { body: { enabled } }),
    onSuccess: (answer) => client.setQueryData(discoverableQuery.queryKey, answer),
  })
}

const EXPORT_POLL_MS = 3000
/** Links live 300 s; they are renewed before. */
const EXPORT_RENEW_MS = 240_000

/** The own exports; looked at often while one is being made. */
export const exportsQuery = queryOptions({
  queryKey: [...roots.profiles, 'exports'],
  queryFn: ({ signal }) => call(routes.exports, {}, { signal }),
  select: ({ items }) => items,
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ status }) => status === 'waiting') ? EXPORT_POLL_MS : EXPORT_RENEW_MS,
})

/** Asks for an export of everything the site holds of the person. */
export function useRequestExport() {
  return useMutation({
    mutationFn: () => call(routes.requestExport),
    meta: { invalidates: [exportsQuery.queryKey] },
  })
}

/** The logged-in person's unpaid earnings, read again each time. */
export const unpaidQuery = queryOptions({
  queryKey: [...roots.commerce, 'unpaid'],
  queryFn: ({ signal }) => call(routes.balance, { query: {} }, { signal }),
  staleTime: 0,
})

/** Asks for the deletion of the own account, once its person has confirmed that it's them; every session of it ends. */
export function requestDeletion(userId: string, reauthenticate: Reauthenticate) {
  return reauthenticate(() => call(routes.deleteAccount, { params: { userId } }))
}
