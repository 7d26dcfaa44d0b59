import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { mediaErrors } from '../../../../contract/errors/media.ts'
import type { Input } from '../../../../contract/route.ts'
import type { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { ApiError, call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { useSession } from '../../../lib/session.tsx'
import { keys, listQuery, type Media, type MediaChange, updateCachedMedia } from '../api.ts'
import { logInOf } from '../upload/log-in.ts'
import { editTexts } from './texts.ts'

type NewGif = Omit<Input<typeof libraryRoutes.addRedGif>['body'], 'creatorId'>
type Unlock = Omit<Input<typeof libraryRoutes.unlockMedia>['body'], 'mediaId'>

/** How often the server is asked how far a poster is, and how long it may take, in milliseconds. */
const POSTER_POLL_MS = 1_000
const POSTER_PATIENCE_MS = 120_000

/** People whom the logged-in creator can name as depicted, themselves first. */
export const performersQuery = queryOptions({
  queryKey: [...keys.all, 'performers'],
  queryFn: ({ signal }) => call(routes.performers, {}, { signal }),
  select: ({ items }) => items,
})

/** Adds a person by name; one of this name that exists already is answered. */
export function useAddPerformer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call(routes.addPerformer, { body: { name } }),
    onSuccess: (added) =>
      client.setQueryData(
        performersQuery.queryKey,
        (known) =>
          known && {
            items: known.items.some(({ _id }) => _id === added._id) ? known.items : [...known.items, added],
          },
      ),
  })
}

/** The operator unlocks an item for a fan. */
export function useUnlock(mediaId: string) {
  return useMutation({
    mutationFn: (unlock: Unlock) => call(routes.unlockMedia, { body: { ...unlock, mediaId } }),
  })
}

/** Adds an external gif to the own library. */
export function useAddRedGif() {
  return useMutation({
    mutationFn: (gif: NewGif) => call(routes.addRedGif, { body: gif }),
    meta: { invalidates: [keys.lists] },
  })
}

/** Why no poster came, in a sentence for the person. */
export class PosterError extends Error {}

/**
 * Makes the frame at a second of an own video its poster, and waits until it is there. Throws a `PosterError` when it
 * could not be made or takes too long.
 */
export function useTakePoster({ _id: mediaId }: Media) {
  const client = useQueryClient()
  const { token } = useSession()
  return useMutation({
    mutationFn: async (seconds: number) => {
      const { call } = logInOf(token)
      await call(routes.posterFrame, { body: { mediaId, seconds } })
      const end = Date.now() + POSTER_PATIENCE_MS
      while (Date.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, POSTER_POLL_MS))
        const answer = await call(routes.posterStatus, { query: { mediaId } }).catch(onlyLasting)
        if (answer?.status === 'failed')
          throw new PosterError(answer.error ?? mediaErrors.poster_not_taken.text)
        if (answer?.status !== 'ready') continue
        const fresh = await call(routes.media, { params: { mediaId } }).catch(onlyLasting)
        if (fresh) return fresh
      }
      throw new PosterError(editTexts.poster.slow)
    },
    onSuccess: (fresh) => {
      client.setQueryData(keys.item(fresh._id), fresh)
      updateCachedMedia(client, fresh)
    },
  })
}

/** Passes over a failed question that may be answered the next time. */
export function onlyLasting(error: unknown): null {
  if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) return null
  throw error
}

/** Changes an own item; what other lists show of it follows. */
export function useEditMedia(mediaId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: MediaChange) => call(routes.editMedia, { body: { mediaId, ...change } }),
    onSuccess: (fresh) => {
      client.setQueryData(keys.item(mediaId), fresh)
      updateCachedMedia(client, fresh)
    },
    // Which lists it is in may have changed, what a profile counts, and which forum posts are still possible.
    meta: { outdates: [keys.lists, roots.commerce, roots.profiles, roots.promotion] },
  })
}

/** Everybody's uploaded items, for the operator. */
export function metadataQuery(type: Media['type'] | undefined) {
  return listQuery(['metadata', type ?? ''], (cursor, signal) =>
    call(routes.mediaMetadata, { query: { type, cursor } }, { signal }),
  )
}
