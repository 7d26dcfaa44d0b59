import { forumAccountHandlers } from './accounts/routes.ts'
import { attributionHandlers } from './attribution/routes.ts'
import { copyHandlers } from './copies/routes.ts'
import { forumHandlers } from './forum/routes.ts'
import { inboxHandlers } from './inbox/routes.ts'
import { subredditListHandlers } from './lists/routes.ts'
import { planHandlers } from './plans/routes.ts'
import { redditPostHandlers } from './posts/routes.ts'
import { recyclingHandlers } from './recycling/routes.ts'
import { scheduleHandlers } from './schedule/routes.ts'
import { slotHandlers } from './slots/routes.ts'
import { subredditHandlers } from './subreddits/routes.ts'
import { verificationHandlers } from './verification/routes.ts'

export const promotionHandlers = {
  ...forumAccountHandlers,
  ...forumHandlers,
  ...subredditHandlers,
  ...verificationHandlers,
  ...subredditListHandlers,
  ...redditPostHandlers,
  ...scheduleHandlers,
  ...planHandlers,
  ...inboxHandlers,
  ...attributionHandlers,
  ...copyHandlers,
  ...slotHandlers,
  ...recyclingHandlers,
}
