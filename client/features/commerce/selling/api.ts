import { infiniteQueryOptions, type QueryKey, queryOptions, useMutation } from '@tanstack/react-query'
import type { Routes } from '../../../../contract/index.ts'
import type { Input } from '../../../../contract/route.ts'
import type { bundleRoutes } from '../../../../contract/routes/commerce/bundles.ts'
import type { subscriptionRoutes } from '../../../../contract/routes/commerce/subscriptions.ts'
import type { Includes } from '../../../../contract/subscriptions.ts'
import { call } from '../../../lib/api.ts'
import { mediaListsKey, roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { accessKeys } from '../../media/api.ts'
import { keys } from '../api.ts'

type PickerQuery = Input<Routes['bundleMediaPicker']>['query']

export function bundleQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.bundles, id],
    queryFn: ({ signal }) => call(routes.bundle, { params: { id } }, { signal }),
  })
}

/** The higher price that subscribers of the own subscription are asked for. */
export function priceChangeQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.subscriptions, id, 'price-change'],
    queryFn: ({ signal }) => call(routes.priceChange, { params: { id } }, { signal }),
  })
}

const PICKER_PAGE = 30

/** The library's filters while choosing from it. */
export type PickerFilter = { search: string; type: NonNullable<PickerQuery['type']> | null }

/**
 * The own library for choosing what a subscription or a bundle holds; with `selectedOnly` just those items, in that
 * order, some at a time, so that any number of them fits into an address.
 */
export function pickerQuery(
  kind: 'subscription' | 'bundle',
  creatorId: string,
  { search, type }: PickerFilter,
  selectedOnly: readonly string[] | null,
) {
  const filter = { ...(search ? { search } : {}), ...(type ? { type } : {}) }
  const load = (
    page: Pick<PickerQuery, 'cursor' | 'showSelectedOnly' | 'selectedMediaIds'>,
    signal: AbortSignal,
  ) => {
    const query = { creatorId, limit: PICKER_PAGE, ...filter, ...page }
    return kind === 'subscription'
      ? call(routes.subscriptionMediaPicker, { query }, { signal })
      : call(routes.bundleMediaPicker, { query }, { signal })
  }
  return infiniteQueryOptions({
    queryKey: [...keys.pickers, kind, filter, selectedOnly],
    queryFn: async ({ pageParam, signal }) => {
      if (selectedOnly === null) {
        const { items, nextCursor } = await load({ cursor: pageParam, selectedMediaIds: [] }, signal)
        return { items, next: nextCursor }
      }
      const start = Number(pageParam ?? 0)
      const end = start + PICKER_PAGE
      const next = end < selectedOnly.length ? String(end) : null
      const ids = selectedOnly.slice(start, end)
      if (ids.length === 0) return { items: [], next }
      const { items } = await load({ showSelectedOnly: 'true', selectedMediaIds: ids }, signal)
      const place = new Map(ids.map((id, index) => [id, index]))
      return { items: [...items].sort((a, b) => (place.get(a._id) ?? 0) - (place.get(b._id) ?? 0)), next }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnWindowFocus: false,
  })
}

const everySold: QueryKey[] = [keys.subscriptions, keys.bundles]
/** The lists alone: what was deleted is not asked for again. */
const listsOfSold: QueryKey[] = everySold.map((key) => [...key, 'of'])

function useSelling<Body, Result>(send: (body: Body) => Promise<Result>, invalidates = everySold) {
  return useMutation({
    mutationFn: send,
    // A subscription opens what it holds, so what subscribers see of it follows.
    // A profile counts what is sold, and offers name it with its price.
    meta: {
      invalidates,
      outdates: [...accessKeys, keys.offers, roots.profiles],
      // Refused, as where another tab deleted an item that was chosen.
      onFailure: [keys.pickers, mediaListsKey],
    },
  })
}

type New = { title: string; price: string; key: string }
type SubscriptionChange = Input<typeof subscriptionRoutes.editSubscription>['body']
type BundleChange = Input<typeof bundleRoutes.editBundle>['body']

export const useCreateSubscription = () =>
  useSelling(({ key, ...body }: New & { includes: Includes }) =>
    call(routes.createSubscription, { body }, { idempotencyKey: key }),
  )
export const useCreateBundle = () =>
  useSelling(({ key, ...body }: New) => call(routes.createBundle, { body }, { idempotencyKey: key }))
export const useEditSubscription = () =>
  useSelling((body: SubscriptionChange) => call(routes.editSubscription, { body }))
/** Puts items into a subscription or a bundle, or takes some out; all else that it holds stays. */
export const useEditHeld = (kind: 'subscription' | 'bundle') =>
  useSelling(({ id, ...change }: { id: string; addMediaIds?: string[]; removeMediaIds?: string[] }) =>
    kind === 'subscription'
      ? call(routes.editSubscriptionMedia, { body: { subscriptionId: id, ...change } })
      : call(routes.editBundleMedia, { body: { bundleId: id, ...change } }),
  )
export const useEditBundle = () => useSelling((body: BundleChange) => call(routes.editBundle, { body }))
/** Stops selling a subscription or a bundle, or sells it again. */
export const useRetire = (kind: 'subscription' | 'bundle') =>
  useSelling(
    ({ id, retired }: { id: string; retired: boolean }): Promise<unknown> =>
      kind === 'subscription'
        ? call(routes.retireSubscription, { body: { subscriptionId: id, retired } })
        : call(routes.retireBundle, { body: { bundleId: id, retired } }),
  )
/** Deletes a subscription or a bundle that nobody ever had. */
export const useDeleteSold = (kind: 'subscription' | 'bundle') =>
  useSelling(
    (id: string) =>
      kind === 'subscription'
        ? call(routes.deleteSubscription, { body: { subscriptionId: id } })
        : call(routes.deleteBundle, { body: { bundleId: id } }),
    listsOfSold,
  )
