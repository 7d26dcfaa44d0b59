import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Routes } from '../../../contract/index.ts'
import type { Input, Output } from '../../../contract/route.ts'
import type {
  FeedMedia as FeedMediaSchema,
  Media as MediaSchema,
} from '../../../contract/routes/media/viewing.ts'
import { call } from '../../lib/api.ts'
import { mediaListsKey, roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'

/** A media item as the viewer may see it (`Media` of the contract). */
export type Media = z.output<typeof MediaSchema>
/** The same as lists have it, with what is shown of it there (`FeedMedia` of the contract). */
export type FeedMedia = z.output<typeof FeedMediaSchema>
export type MediaView = Output<Routes['viewMedia']>
export type MediaChange = Omit<Input<Routes['editMedia']>['body'], 'mediaId' | 'creatorId'>

export type Page = { items: FeedMedia[]; hasMore: boolean; nextCursor: string | null }
/** A list as the cache keeps it, page by page. */
export type Pages = { pages: Page[]; pageParams: unknown[] }

/** Links live 300 s at most; a list is taken from the cache only while its links still have a minute. */
export const LINK_STALE_MS = 240_000
const LIST_KEPT_MS = 1_800_000

/** Under what the cache keeps items and lists of them. */
export const keys = {
  all: roots.media,
  lists: [...roots.media, 'lists'],
  /** Those that grow page by page. */
  paged: mediaListsKey,
  items: [...roots.media, 'item'],
  item: (mediaId: string) => [...keys.items, mediaId],
  views: [...roots.media, 'view'],
  view: (mediaId: string) => [...keys.views, mediaId],
  bundles: [...roots.media, 'bundle'],
} as const

/** Queries that show which items are locked: a purchase and a block change them. */
export const accessKeys = [keys.lists, keys.items, keys.views, keys.bundles] as const

/** A list that grows page by page. Focusing the window does not reload it, so that nothing moves while it is looked at. */
export function listQuery<P extends Page>(
  name: readonly string[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<P>,
) {
  return infiniteQueryOptions({
    queryKey: [...keys.paged, ...name],
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.hasMore ? (page.nextCursor ?? undefined) : undefined),
    staleTime: LINK_STALE_MS,
    // Long enough to watch something and to come back to the place one left.
    gcTime: LIST_KEPT_MS,
    refetchOnWindowFocus: false,
  })
}

export type MediaListQuery<P extends Page = Page> = ReturnType<typeof listQuery<P>>

/** A creator's items as the viewer may see them, locked ones included; of one type when it is given. */
export function profileMediaQuery(creatorId: string, type?: Media['type']) {
  return listQuery(['profile', creatorId, ...(type ? [type] : [])], (cursor, signal) =>
    call(routes.profileMedia, { query: { creatorId, type, cursor } }, { signal }),
  )
}

/** The single items that a creator sells. Needs a login. */
export function purchasableMediaQuery(creatorId: string) {
  return listQuery(['purchasable', creatorId], (cursor, signal) =>
    call(routes.purchasableMedia, { query: { creatorId, cursor } }, { signal }),
  )
}

/** One item. */
export function mediaQuery(mediaId: string) {
  return queryOptions({
    queryKey: keys.item(mediaId),
    queryFn: ({ signal }) => call(routes.media, { params: { mediaId } }, { signal }),
  })
}

/** One item with its creator. */
export function mediaViewQuery(mediaId: string) {
  return queryOptions({
    queryKey: keys.view(mediaId),
    queryFn: ({ signal }) => call(routes.viewMedia, { params: { mediaId } }, { signal }),
    staleTime: LINK_STALE_MS,
    refetchOnWindowFocus: false,
  })
}

/** One item in the version that is shown: the current one, or the one that the person bought. */
function shownVersionQuery({ _id: mediaId, versionId }: Shown) {
  return queryOptions({
    queryKey: [...keys.item(mediaId), versionId ?? 'current'],
    queryFn: ({ signal }) =>
      call(routes.mediaVersion, { params: { mediaId, version: versionId ?? 'current' } }, { signal }),
  })
}

/** Asks for the item again and puts the answer, with links that work, wherever the item is shown. Throws an `ApiError`. */
export async function renewMedia(client: QueryClient, shown: Shown): Promise<Media> {
  const fresh = await client.fetchQuery({ ...shownVersionQuery(shown), staleTime: 5_000 })
  updateCachedMedia(client, fresh)
  return fresh
}

/** Puts an item as it is now wherever it is shown. */
export function updateCachedMedia(client: QueryClient, fresh: Media): void {
  client.setQueriesData<Pages>({ queryKey: keys.paged }, (list) => list && replaceItem(list, fresh))
  client.setQueryData<MediaView>(keys.view(fresh._id), (view) => view && replaceVersion(view, fresh))
}

/** The fields that tell one version of an item from another. */
type Shown = Pick<FeedMedia, '_id' | 'versionId'>

const isSameVersion = (one: Shown, other: Shown) => one._id === other._id && one.versionId === other.versionId

function replaceVersion(view: MediaView, fresh: Media): MediaView {
  const swap = (media: Media) => (isSameVersion(media, fresh) ? fresh : media)
  const versions = view.versions.map((version) => ({ ...version, media: swap(version.media) }))
  return { ...view, media: swap(view.media), versions }
}

function replaceItem(list: Pages, fresh: Media): Pages {
  if (!list.pages.some((page) => page.items.some((item) => isSameVersion(item, fresh)))) return list
  const swap = (item: FeedMedia) => {
    if (!isSameVersion(item, fresh)) return item
    // One item is sent without what only lists say, which an edit doesn't change.
    const { profileImage } = item
    return 'fileName' in item
      ? { ...fresh, profileImage, fileName: item.fileName }
      : { ...fresh, profileImage }
  }
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(swap) })) }
}
