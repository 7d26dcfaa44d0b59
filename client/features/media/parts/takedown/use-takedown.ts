import { useMutation } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { roots } from '../../../../lib/query.ts'
import { routes } from '../../../../lib/routes.ts'

/** The operator takes an item down, or releases it; whatever shows it asks again. */
export function useTakedown(mediaId: string) {
  return useMutation({
    mutationFn: ({ down, reason }: { down: boolean; reason: string }) => {
      const input = { body: { mediaId, reason } }
      return down ? call(routes.quarantineMedia, input) : call(routes.releaseMedia, input)
    },
    meta: { invalidates: [roots.media], outdates: [roots.commerce] },
  })
}
