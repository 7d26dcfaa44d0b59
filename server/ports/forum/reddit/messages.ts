import { z } from 'zod'
import { SUBREDDIT_NAME } from '../../../../contract/promotion.ts'
import type { Failure, Forum, ForumMessage, Priority } from '../port.ts'
import { text } from './answers.ts'
import { deleteThing, type RedditClient, read } from './client.ts'

/** Private messages as they come (docs/forum-wire.md, Messages), as far as we use them. */

const fullname = z.string().regex(/^t4_[a-z0-9]{1,20}$/)
const Children = z.array(z.object({ kind: z.string(), data: z.unknown() }))
const ListingData = z.object({ after: z.string().max(40).nullish().catch(null), children: Children })

const MessageData = z.object({
  name: fullname,
  author: z.string().regex(/^[\w-]{1,50}$/),
  dest: text(50).nullish().catch(null),
  subject: text(300).nullish().catch(null),
  body: text(20_000),
  subreddit: z.string().nullish(),
  parent_id: fullname.nullish().catch(null),
  first_message_name: fullname.nullish().catch(null),
  /** The same as a number, which some have alone. */
  first_message: z.number().int().min(1).nullish().catch(null),
  created_utc: z.number().min(0).max(10_000_000_000),
  replies: z.unknown(),
})

function messageOf(data: z.output<typeof MessageData>): ForumMessage {
  const { first_message: first, first_message_name: root } = data
  return {
    name: data.name,
    author: data.author,
    recipient: data.dest ?? '',
    subject: data.subject?.replace(/\s+/g, ' ').trim() ?? '',
    body: data.body,
    parentName: data.parent_id ?? null,
    rootName: root ?? (first ? `t4_${first.toString(36)}` : null),
    sentAt: new Date(data.created_utc * 1000),
  }
}

type Child = z.output<typeof Children>[number]

/** The messages between people in a listing, those below others too; what can’t be read as one is left out. */
function messagesIn(children: readonly Child[]): ForumMessage[] {
  return children.flatMap(({ kind, data }) => {
    const parsed = kind === 't4' ? MessageData.safeParse(data) : undefined
    if (!parsed?.success || parsed.data.subreddit) return []
    const below = Below.safeParse(parsed.data.replies)
    return [messageOf(parsed.data), ...(below.success ? messagesIn(below.data.data.children) : [])]
  })
}

const Below = z.object({ kind: z.literal('Listing'), data: z.object({ children: Children }) })
const Dated = z.object({ created_utc: z.number().min(0).max(10_000_000_000) })

const Box = z.object({ kind: z.literal('Listing'), data: ListingData }).transform(({ data }) => ({
  messages: messagesIn(data.children),
  after: data.after ?? null,
  // Comments on posts stand between the messages, and tell how far a page reaches too.
  oldest: data.children.reduce((oldest, child) => {
    const dated = Dated.safeParse(child.data)
    return dated.success ? Math.min(oldest, dated.data.created_utc) : oldest
  }, Number.POSITIVE_INFINITY),
}))

/** Nothing at all for somebody who moderates nothing. */
const Moderated = z.object({ data: z.array(z.unknown()).optional() }).transform(({ data = [] }) =>
  data.flatMap((each) => {
    const parsed = z.object({ sr: z.string().regex(SUBREDDIT_NAME) }).safeParse(each)
    return parsed.success ? [parsed.data.sr] : []
  }),
)

const MAX_PAGES = 3
const MAX_MODERATED = 100

/** Reads and deletes the private messages of an account. */
export function messaging(
  client: RedditClient,
  asAnybody: <A extends { kind: string }>(ask: (accessToken: string) => Promise<A>) => Promise<A | Failure>,
): Pick<Forum, 'inbox' | 'sentMessages' | 'threads' | 'deleteMessage' | 'moderated'> {
  async function box(path: string, accessToken: string, priority: Priority) {
    const answer = await read(client, { path, accessToken, priority, schema: Box })
    switch (answer.kind) {
      case 'private':
      case 'quarantined':
        return { kind: 'forbidden' } as const
      // These pages are never gone: whatever leads away from them, or hides them, passes.
      case 'gone':
      case 'banned':
        return { kind: 'down', detail: 'not found' } as const
      default:
        return answer
    }
  }

  return {
    async inbox(accessToken, priority) {
      const messages = new Map<string, ForumMessage>()
      let after: string | null = null
      let oldest = Number.POSITIVE_INFINITY
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = new URLSearchParams({ mark: 'false', limit: '100', ...(after ? { after } : {}) })
        const answer = await box(`/message/inbox?${query}`, accessToken, priority)
        if (answer.kind !== 'answered') return answer
        for (const message of answer.value.messages) messages.set(message.name, message)
        oldest = Math.min(oldest, answer.value.oldest)
        after = answer.value.after
        if (after === null) break
      }
      const reachesTo = after === null || !Number.isFinite(oldest) ? null : new Date(oldest * 1000)
      return { kind: 'answered', value: { messages: [...messages.values()], reachesTo } }
    },

    async sentMessages(accessToken, priority) {
      const answer = await box('/message/sent?limit=100', accessToken, priority)
      return answer.kind === 'answered' ? { kind: 'answered', value: answer.value.messages } : answer
    },

    async threads(accessToken, priority) {
      const answer = await box('/message/messages?mark=false&limit=100', accessToken, priority)
      if (answer.kind !== 'answered') return answer
      const byName = new Map(answer.value.messages.map((message) => [message.name, message]))
      return { kind: 'answered', value: [...byName.values()] }
    },

    deleteMessage: (name, accessToken) =>
      deleteThing(client, { path: '/api/del_msg', id: name, accessToken, priority: 'interactive' }),

    async moderated(name, priority) {
      const path = `/user/${encodeURIComponent(name)}/moderated_subreddits`
      const answer = await asAnybody((accessToken) =>
        read(client, { path, accessToken, priority, schema: Moderated }),
      )
      switch (answer.kind) {
        case 'answered':
          return { kind: 'answered', value: answer.value.slice(0, MAX_MODERATED) }
        // Nobody of this name, or not anymore.
        case 'gone':
        case 'banned':
        case 'private':
        case 'quarantined':
          return { kind: 'answered', value: [] }
        default:
          return answer
      }
    },
  }
}
