import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Input } from '../../../../contract/route.ts'
import type { libraryRoutes } from '../../../../contract/routes/library.ts'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { keys, type Media, refreshMedia, spread } from '../api.ts'

type NewGif = Omit<Input<typeof libraryRoutes.addRedGif>['body'], 'creatorId'>
type Unlock = Omit<Input<typeof libraryRoutes.unlockMedia>['body'], 'mediaId'>

/** How often the server is asked whether a poster is there, in milliseconds, and how many times. */
const POSTER_POLL_MS = 1_000
const POSTER_TRIES = 30

/** Whom the logged-in creator can name as depicted, themselves first. */
export const performersQuery = queryOptions({
  queryKey: ['media', 'performers'],
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

/** People whose username contains the filter: the first of them. */
export function peopleQuery(filter: string) {
  return queryOptions({
    queryKey: ['media', 'people', filter],
    queryFn: ({ signal }) => call(routes.searchUsers, { query: { filter } }, { signal }),
    select: ({ items }) => items,
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
  const client = useQueryClient()
  return useMutation({
    mutationFn: (gif: NewGif) => call(routes.addRedGif, { body: gif }),
    onSuccess: () => void refreshMedia(client),
  })
}

/** Makes the frame at a second of an own video its poster, and waits until it is there. Throws when none could be made. */
export function useTakePoster(media: Media) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (seconds: number) => {
      await call(routes.posterFrame, { body: { mediaId: media._id, seconds } })
      for (let tries = 0; tries < POSTER_TRIES; tries++) {
        await new Promise((resolve) => setTimeout(resolve, POSTER_POLL_MS))
        const fresh = await call(routes.media, { params: { mediaId: media._id } })
        if (fileOf(fresh.poster) !== fileOf(media.poster)) return fresh
      }
      throw new Error('no poster was made')
    },
    onSuccess: (fresh) => {
      client.setQueryData(keys.item(fresh._id), fresh)
      spread(client, fresh)
    },
  })
}

/** The address of a file without the signature that changes with every answer. */
function fileOf(url: string | null): string {
  return url?.split('?')[0] ?? ''
}
