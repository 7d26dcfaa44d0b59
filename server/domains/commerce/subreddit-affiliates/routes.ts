import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { applyForSubreddit, decideSubreddit, paySubredditShare } from './actions.ts'
import { findAffiliate, listAffiliates } from './data.ts'
import { presentAffiliate, presentAnyAffiliate } from './present.ts'

export const subredditAffiliateHandlers = {
  async subredditAffiliates({ db, viewer, query }) {
    return toPage(await listAffiliates(db, { userId: viewer.id }, query), query, presentAffiliate)
  },
  async applyForSubreddit({ db, viewer, body, now }) {
    const { subreddit, subscribers } = body
    const id = await applyForSubreddit(db, { userId: viewer.id, subreddit, subscribers, now })
    return presentAffiliate(await findAffiliate(db, id))
  },
  async allSubredditAffiliates({ db, viewer, query }) {
    const of = { showing: query.showing, operatorId: viewer.id }
    return toPage(await listAffiliates(db, of, query), query, presentAnyAffiliate)
  },
  async decideSubreddit({ db, viewer, body, now }) {
    const { waits } = await decideSubreddit(db, { ...body, actorId: viewer.id, now })
    return { success: true, waits }
  },
  async paySubredditShare({ db, viewer, body, now }) {
    const { waits } = await paySubredditShare(db, { ...body, actorId: viewer.id, now })
    return { success: true, waits }
  },
} satisfies Partial<Handlers>
