import type { Input, Output } from '../../../../contract/route.ts'
import type { copyRoutes } from '../../../../contract/routes/promotion/copies.ts'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'

export type Copy = Output<typeof copyRoutes.promotionCopy>
type Wanted = Input<typeof copyRoutes.promotionCopy>['body'] & { postId: string }

const ASK_AGAIN_MS = 3000
const MOST_TIMES = 200

/** Has a copy made and waits for it; null if a video isn’t ready after ten minutes, or nobody waits anymore. */
export async function makeCopy({ postId, ...body }: Wanted, signal: AbortSignal): Promise<Copy | null> {
  for (let times = 0; times < MOST_TIMES && !signal.aborted; times += 1) {
    const copy = await call(routes.promotionCopy, { params: { redditPostId: postId }, body }, { signal })
    if (copy.ready) return copy
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
  return null
}
