import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { bundlesQuery } from '../features/commerce/api.ts'
import { ownOffersQuery } from '../features/commerce/offers/api.ts'
import { useEditBundle, useEditSubscription } from '../features/commerce/selling/api.ts'
import { profileMediaQuery } from '../features/media/api.ts'
import { useEditMedia } from '../features/media/edit/api.ts'
import { useBulkEdit, useDeleteMedia, useRestoreMedia } from '../features/media/manage/api.ts'
import { chatQuery } from '../features/messaging/api.ts'
import { profileQuery, useToggleFollow } from '../features/profiles/api.ts'
import { useEditProfile } from '../features/profiles/editing/api.ts'
import { useBlock } from '../features/profiles/parts/people/api.ts'
import { promotingQuery } from '../features/promotion/posts/api.ts'
import { candidatesQuery } from '../features/promotion/schedule/api.ts'
import { createQueryClient } from '../lib/query.ts'
import { requestsTo } from '../served-requests.ts'

const KEPT = {
  profile: profileQuery('mara').queryKey,
  chat: chatQuery('mara').queryKey,
  media: profileMediaQuery('mara').queryKey,
  sold: bundlesQuery('mara').queryKey,
} as const

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** What of it is asked for again, or no longer kept, once the change is made. */
async function outdatedBy<Input>(
  useChange: () => { mutateAsync: (input: Input) => Promise<unknown> },
  input: Input,
  kept: Record<string, readonly unknown[]> = KEPT,
) {
  vi.stubGlobal('fetch', async () => Response.json({ following: true, items: [] }))
  vi.stubGlobal(
    'XMLHttpRequest',
    requestsTo(({ answer }) => answer(200, {})),
  )
  const client = createQueryClient()
  for (const queryKey of Object.values(kept))
    client.setQueryData<unknown>(queryKey, { pages: [], pageParams: [] })
  const { result } = renderHook(useChange, {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  await result.current.mutateAsync(input)
  return Object.entries(kept).flatMap(([name, key]) =>
    (client.getQueryState<unknown>(key)?.isInvalidated ?? true) ? [name] : [],
  )
}

test('a follow may open a chat, and a profile says how many follow', async () => {
  expect(await outdatedBy(() => useToggleFollow('mara'), undefined)).toEqual(['profile', 'chat'])
})

test('of who is blocked nothing is kept, the chat included', async () => {
  const change = { blockedId: 'mara', blocked: true }
  expect(await outdatedBy(useBlock, change)).toEqual(['profile', 'chat', 'media', 'sold'])
})

test('another name or picture stands wherever the person is shown', async () => {
  const change = { body: {} as never, pictures: {} }
  expect(await outdatedBy(() => useEditProfile((action) => action()), change)).toEqual([
    'profile',
    'media',
    'sold',
  ])
})

test('a profile counts what of its media can be seen', async () => {
  expect(await outdatedBy(() => useEditMedia('one'), {})).toContain('profile')
  expect(await outdatedBy(useBulkEdit, { mediaIds: ['one'], change: {} })).toContain('profile')
})

test('what becomes of an item decides which forum posts are possible', async () => {
  const posts = { items: promotingQuery.queryKey, candidates: candidatesQuery('', 15).queryKey }
  const all = Object.keys(posts)
  expect(await outdatedBy(() => useEditMedia('one'), {}, posts)).toEqual(all)
  expect(await outdatedBy(useBulkEdit, { mediaIds: ['one'], change: {} }, posts)).toEqual(all)
  expect(await outdatedBy(useDeleteMedia, { mediaIds: ['one'], reason: null }, posts)).toEqual(all)
  expect(await outdatedBy(useRestoreMedia, ['one'], posts)).toEqual(all)
})

test('offers name what they give with its price of now', async () => {
  const offers = { own: ownOffersQuery.queryKey }
  expect(await outdatedBy(useEditSubscription, { subscriptionId: 'one', price: '$5' }, offers)).toEqual([
    'own',
  ])
  expect(await outdatedBy(useEditBundle, { bundleId: 'one', price: '$5' }, offers)).toEqual(['own'])
})
