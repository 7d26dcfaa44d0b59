import { afterAll, beforeAll, beforeEach } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { Output } from '../../contract/route.ts'
import type { Checkpoint } from '../context.ts'
import { buildCreator, type Person } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'
import { connectForum, forumAdmin, syncInboxes } from './promotion.ts'

const MINUTE_MS = 60_000

/** A creator with a connected forum account, whose inbox it is. */
export type Owner = { person: Person; account: string; api: ReturnType<Harness['api']['as']> }

export type Thread = Output<typeof routes.inbox>['items'][number]

/** Creators with inboxes of a forum without limits; its faults are gone before each test of the calling file. */
export function inboxes() {
  let harness: Harness
  let names = 0
  const scene = {
    harness: undefined as unknown as Harness,
    /** The checkpoint at which the process crashes. */
    killedAt: null as Checkpoint | null,
  }
  beforeAll(async () => {
    harness = await startHarness({
      checkpoint: async (name) => {
        if (name === scene.killedAt) throw new Error('the process ended here')
      },
    })
    scene.harness = harness
    await forumAdmin(harness, 'POST', 'limits', { budget: 100_000 })
  })
  beforeEach(async () => {
    await forumAdmin(harness, 'DELETE', 'faults')
    await forumAdmin(harness, 'POST', 'limits', { messagesMoved: 'off', placeholderReplies: 'off' })
    // The budget is one for everybody: what a test uses up isn’t missed by the next.
    await harness.context.db.deleteFrom('forum_budget').execute()
  })
  afterAll(() => harness?.stop())

  /** An account on the forum that nobody has connected yet. */
  const nextAccount = () => `Keeper${names++}`
  async function buildOwner(): Promise<Owner> {
    const person = await buildCreator(harness)
    const account = nextAccount()
    await connectForum(harness, person, account)
    return { person, account, api: harness.api.as(person) }
  }

  const author = () => `Writer${names++}`
  const later = (minutes: number) => harness.clock.advance(minutes * MINUTE_MS)
  const fault = (body: object) => forumAdmin(harness, 'POST', 'faults', body)
  /** Writes to an account as somebody on the forum, a second after what came before. */
  async function writes(from: string, { account }: Owner, body: string, more: object = {}): Promise<string> {
    harness.clock.advance(1000)
    const sent = { from, to: account, body, ...more }
    return (await forumAdmin<{ name: string }>(harness, 'POST', 'messages', sent)).name
  }
  const read = ({ api }: Owner, query: object = {}) => api.call(routes.inbox, { query })
  /** Looks at the inbox a minute later, once everything new was read. */
  async function look(owner: Owner, query: object = {}) {
    await read(owner)
    later(2.5)
    await syncInboxes(harness)
    return read(owner, query)
  }
  const named = ({ _id, author: redditUsername }: Pick<Thread, '_id' | 'author'>) => ({
    messageId: _id,
    redditUsername,
  })
  const answer = ({ api }: Owner, thread: Thread, messageText = 'Thank you!') =>
    api.call(routes.replyToMessage, { body: { ...named(thread), messageText } })
  /** How often the forum was called so by this account, faults included. */
  const calls = async (path: string, { account }: Owner) =>
    (await forumAdmin<{ count: number }>(harness, 'GET', `requests?path=${path}&account=${account}`)).count

  return Object.assign(scene, {
    nextAccount,
    buildOwner,
    author,
    later,
    fault,
    writes,
    read,
    look,
    named,
    answer,
    calls,
  })
}

/** The one item of a list that has just one. */
export const only = <T>(items: readonly T[]): T => {
  const [item, ...others] = items
  if (!item || others.length > 0) throw new Error(`one was expected, not ${items.length}`)
  return item
}

/** The code that a call is refused with, or `accepted`. */
export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )
