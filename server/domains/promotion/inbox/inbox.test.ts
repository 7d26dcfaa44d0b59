import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFan } from '../../../testing/builders.ts'
import { codeOf, inboxes, type Owner, only, type Thread } from '../../../testing/inboxes.ts'
import { connectForum, forumAdmin } from '../../../testing/promotion.ts'
import { insertPurchase } from '../../../testing/purchases.ts'

const scene = inboxes()
const { buildOwner, nextAccount, author, later, fault, writes, read, look, named, answer, calls } = scene
const bodies = async (owner: Owner, query: object = {}) =>
  (await read(owner, query)).items.map(({ body }) => body)

describe('what is listed', () => {
  test('are private messages by thread, who wrote last first, page by page', async () => {
    const owner = await buildOwner()
    const [first, second, third] = [author(), author(), author()]
    const root = await writes(first, owner, 'One')
    await writes(second, owner, 'Two', { subject: 'Prints' })
    await writes(third, owner, 'Three')
    await writes(first, owner, 'One again', { parent: root })
    const nothing = await read(owner)
    expect(nothing).toMatchObject({ items: [], syncedAt: null, failure: null })
    const { items, syncedAt, failure } = await look(owner)
    expect(items.map(({ body }) => body)).toEqual(['One', 'Three', 'Two'])
    expect([failure, syncedAt === null]).toEqual([null, false])
    expect(items[0]).toMatchObject({
      id: root,
      author: first,
      account: owner.account,
      lastContact: null,
      outOfSync: false,
      person: null,
      replies: [{ author: first, body: 'One again', own: false, state: 'sent' }],
    })
    expect(items[2]).toMatchObject({ author: second, subject: 'Prints' })
    const page = await read(owner, { limit: 2 })
    expect([page.items.length, page.hasMore]).toEqual([2, true])
    const next = await read(owner, { limit: 2, cursor: page.nextCursor ?? '' })
    expect([next.items.map(({ body }) => body), next.hasMore]).toEqual([['Two'], false])
    expect(await bodies(owner, { limit: 2, skip: 1 })).toEqual(['Three', 'Two'])
  })

  test('mirrors of a chat are one thread, and comments on posts are none', async () => {
    const owner = await buildOwner()
    const chatter = author()
    for (const body of ['Hey', 'Are you there?', 'Hello?']) await writes(chatter, owner, body, { chat: true })
    const thread = only((await look(owner)).items)
    expect([thread.body, thread.subject, thread.replies.map(({ body }) => body)]).toEqual([
      'Hey',
      'Chat',
      ['Are you there?', 'Hello?'],
    ])
    await answer(owner, thread, 'Here I am')
    expect((await look(owner)).items[0]?.replies.map(({ body }) => body)).toEqual([
      'Are you there?',
      'Hello?',
      'Here I am',
    ])
  })

  test('contains what is searched for, in a message or a reply, whatever its letters', async () => {
    const owner = await buildOwner()
    const root = await writes(author(), owner, 'About a vase, 100% clay')
    await writes(author(), owner, 'About a lamp')
    const { items } = await look(owner)
    const lamp = items.find(({ body }) => body.includes('lamp')) as Thread
    await answer(owner, lamp, 'It has a GREEN_shade')
    expect(await bodies(owner, { search: '100%' })).toEqual(['About a vase, 100% clay'])
    expect(await bodies(owner, { search: 'green_' })).toEqual(['About a lamp'])
    expect(await bodies(owner, { search: '_' })).toEqual(['About a lamp'])
    expect(await bodies(owner, { search: 'teapot' })).toEqual([])
    expect(root).toMatch(/^t4_/)
  })

  test('leaves out who was written to already, here or on the forum', async () => {
    const owner = await buildOwner()
    const [here, there] = [author(), author()]
    await writes(here, owner, 'Here')
    await writes(there, owner, 'There')
    await writes(author(), owner, 'Nobody answered')
    const { items } = await look(owner)
    await answer(owner, items.find((item) => item.author === here) as Thread)
    await forumAdmin(scene.harness, 'POST', 'messages', { from: owner.account, to: there, body: 'Hi' })
    const after = await look(owner, { removeContacted: true })
    expect(after.items.map(({ body }) => body)).toEqual(['Nobody answered'])
    const all = await read(owner)
    expect(all.items.filter(({ lastContact }) => lastContact !== null).map((item) => item.author)).toEqual([
      there,
      here,
    ])
  })

  test('names the subreddits that an author moderates', async () => {
    const owner = await buildOwner()
    const moderator = author()
    await writes(moderator, owner, 'Join us')
    await writes(author(), owner, 'Hello')
    await forumAdmin(scene.harness, 'POST', `accounts/${moderator}`, { moderates: ['Gardens', 'Lanterns'] })
    const { items } = await look(owner)
    expect(items.map(({ moderates }) => moderates.toSorted())).toEqual([[], ['Gardens', 'Lanterns']])
    const before = await forumAdmin<{ count: number }>(
      scene.harness,
      'GET',
      `requests?path=/user/${moderator.toLowerCase()}`,
    )
    await look(owner)
    expect(
      await forumAdmin(scene.harness, 'GET', `requests?path=/user/${moderator.toLowerCase()}`),
    ).toMatchObject({
      count: before.count,
    })
  })

  test('has the inboxes of all accounts, each thread under its own', async () => {
    const owner = await buildOwner()
    const second = { ...owner, account: nextAccount() }
    await connectForum(scene.harness, owner.person, second.account)
    const both = author()
    await writes(both, owner, 'To the first')
    await writes(both, second, 'To the second')
    const { items } = await look(owner)
    expect(items.map(({ account, body }) => [account, body])).toEqual([
      [second.account, 'To the second'],
      [owner.account, 'To the first'],
    ])
    const last = items[0] as Thread
    await answer(owner, last, 'From the second')
    expect(await calls('/api/comment', second)).toBe(1)
    expect(await calls('/api/comment', owner)).toBe(0)
  })
})

describe('putting away', () => {
  test('a skipped thread comes back with a new message, after a day, and by undoing', async () => {
    const owner = await buildOwner()
    const [patient, busy] = [author(), author()]
    await writes(patient, owner, 'Patient')
    const root = await writes(busy, owner, 'Busy')
    const { items } = await look(owner)
    const skip = (thread: Thread | undefined, more = {}) =>
      owner.api.call(routes.skipMessage, { body: { ...named(thread as Thread), ...more } })
    for (const item of items) await skip(item)
    expect(await bodies(owner)).toEqual([])
    await skip(items[1], { skip: false })
    expect(await bodies(owner)).toEqual(['Patient'])
    await skip(items[1])
    await writes(busy, owner, 'Busy again', { parent: root })
    expect((await look(owner)).items.map(({ body }) => body)).toEqual(['Busy'])
    later(24 * 60 - 4)
    expect(await bodies(owner)).toEqual(['Busy'])
    later(5)
    expect(await bodies(owner)).toEqual(['Busy', 'Patient'])
  })

  test('an ignored author is shown apart, with all they wrote and write', async () => {
    const owner = await buildOwner()
    const [loud, quiet] = [author(), author()]
    await writes(loud, owner, 'Loud')
    await writes(quiet, owner, 'Quiet')
    const { items } = await look(owner)
    const thread = items.find((item) => item.author === loud) as Thread
    const ignore = (on: boolean) =>
      owner.api.call(routes.ignoreAuthor, { body: { ...named(thread), ignore: on } })
    await ignore(true)
    await writes(loud, owner, 'Louder', { subject: 'Another' })
    expect((await look(owner)).items.map(({ body }) => body)).toEqual(['Quiet'])
    expect(await bodies(owner, { ignored: true })).toEqual(['Louder', 'Loud'])
    const query = { messageId: thread._id, redditUsername: loud.toUpperCase() }
    expect(await owner.api.call(routes.inboxContact, { query })).toMatchObject({ ignore: true })
    await ignore(false)
    expect(await bodies(owner)).toEqual(['Louder', 'Quiet', 'Loud'])
  })

  test('a deleted thread is deleted on the forum, and comes back when its author writes again', async () => {
    const owner = await buildOwner()
    const writer = author()
    const root = await writes(writer, owner, 'First')
    await writes(writer, owner, 'Second', { parent: root })
    const thread = only((await look(owner)).items)
    const body = { messageId: thread._id }
    await fault({ path: '/api/del_msg', account: owner.account, kind: 'status', times: 2 })
    expect(await codeOf(owner.api.call(routes.deleteForumThread, { body }))).toBe('forum_down')
    expect(await bodies(owner)).toEqual(['First'])
    await owner.api.call(routes.deleteForumThread, { body })
    await owner.api.call(routes.deleteForumThread, { body })
    expect(await bodies(owner)).toEqual([])
    expect((await look(owner)).items).toEqual([])
    expect(await codeOf(answer(owner, thread))).toBe('forum_message_not_found')
    await writes(writer, owner, 'Third', { parent: root })
    expect((await look(owner)).items.map(({ replies }) => replies.map((reply) => reply.body))).toEqual([
      ['Second', 'Third'],
    ])
  })

  test('a deletion that the forum’s limit stopped half way says so, and goes on where it stopped', async () => {
    const owner = await buildOwner()
    const writer = author()
    const root = await writes(writer, owner, 'First')
    for (let count = 0; count < 11; count++) await writes(writer, owner, `More ${count}`, { parent: root })
    const thread = only((await look(owner)).items)
    const body = { messageId: thread._id }
    const remaining = 60 + 5
    await scene.harness.context.db.updateTable('forum_budget').set({ remaining }).execute()
    expect(await codeOf(owner.api.call(routes.deleteForumThread, { body }))).toBe('forum_deletion_unfinished')
    expect(await calls('/api/del_msg', owner)).toBe(5)
    expect(await codeOf(owner.api.call(routes.deleteForumThread, { body }))).toBe('forum_busy')
    expect(await bodies(owner)).toEqual(['First'])
    later(11)
    await owner.api.call(routes.deleteForumThread, { body })
    expect(await calls('/api/del_msg', owner)).toBe(12)
    expect(await bodies(owner)).toEqual([])
  })

  test('a deletion that fails half way says so, and why once nothing more is taken', async () => {
    const owner = await buildOwner()
    const writer = author()
    const root = await writes(writer, owner, 'First')
    for (let count = 0; count < 3; count++) await writes(writer, owner, `More ${count}`, { parent: root })
    const body = { messageId: only((await look(owner)).items)._id }
    const refuse = (times: number | null) =>
      fault({ path: '/api/del_msg', account: owner.account, kind: 'status', status: 403, times })
    // All four are on their way by then.
    await refuse(1)
    expect(await codeOf(owner.api.call(routes.deleteForumThread, { body }))).toBe('forum_deletion_unfinished')
    await refuse(null)
    expect(await codeOf(owner.api.call(routes.deleteForumThread, { body }))).toBe('forum_malformed')
    await forumAdmin(scene.harness, 'DELETE', 'faults')
    await owner.api.call(routes.deleteForumThread, { body })
    expect(await bodies(owner)).toEqual([])
  })

  test('as many messages as are deleted at most, and no more, are no unfinished deletion', async () => {
    const owner = await buildOwner()
    await writes(author(), owner, 'First')
    const { _id: threadId } = only((await look(owner)).items)
    await sql`insert into forum_messages (thread_id, account_id, name, author, is_own, body, sent_at)
      select thread_id, account_id, name || 'x' || n, author, false, body, sent_at
      from forum_messages, generate_series(1, 499) n where thread_id = ${threadId}`.execute(
      scene.harness.context.db,
    )
    await owner.api.call(routes.deleteForumThread, { body: { messageId: threadId } })
    expect(await calls('/api/del_msg', owner)).toBe(500)
    expect(await bodies(owner)).toEqual([])
  })

  test('is nobody else’s: strangers change nothing, and learn nothing', async () => {
    const [owner, thief] = [await buildOwner(), await buildOwner()]
    await writes(author(), owner, 'Mine')
    const before = await look(owner)
    const thread = only(before.items)
    const of = named(thread)
    const tries = [
      () => thief.api.call(routes.skipMessage, { body: of }),
      () => thief.api.call(routes.ignoreAuthor, { body: of }),
      () => thief.api.call(routes.deleteForumThread, { body: { messageId: thread._id } }),
      () => thief.api.call(routes.replyToMessage, { body: { ...of, messageText: 'Hi' } }),
      () => thief.api.call(routes.inboxContact, { query: of }),
      () => owner.api.call(routes.skipMessage, { body: { ...of, redditUsername: 'SomebodyElse' } }),
      () =>
        owner.api.call(routes.replyToMessage, {
          body: { ...of, redditUsername: 'Other', messageText: 'Hi' },
        }),
    ]
    for (const attempt of tries) expect(await codeOf(attempt())).toBe('forum_message_not_found')
    expect((await read(thief)).items).toEqual([])
    expect(await read(owner)).toEqual(before)
    const fan = await buildFan(scene.harness)
    expect((await scene.harness.api.as(fan).call(routes.inbox, { query: {} })).items).toEqual([])
    const theirs = scene.harness.api.as(fan).call(routes.inbox, { query: { creatorId: owner.person.id } })
    expect(await codeOf(theirs)).toBe('not_yourself')
    expect(await codeOf(scene.harness.api.visitor().call(routes.inbox, { query: {} }))).toBe(
      'not_authenticated',
    )
    expect(await calls('/api/', owner)).toBe(await calls('/api/v1', owner))
  })
})

describe('the person behind an author', () => {
  test('is told only with their consent, and to each creator what they spent there', async () => {
    const [owner, other] = [await buildOwner(), await buildOwner()]
    const fan = await buildFan(scene.harness)
    const { db, clock } = scene.harness.context
    const agree = async (recognizable: boolean) => {
      const form = new FormData()
      const { username, email } = fan
      const fields = { firstName: 'Ada', username, redditUsername: fan.username, email }
      for (const [name, value] of Object.entries({ ...fields, recognizable: String(recognizable) }))
        form.append(name, value)
      const headers = { authorization: `Bearer ${fan.token}` }
      const sent = await fetch(`${scene.harness.origin}/api/users/editprofile`, {
        method: 'POST',
        headers,
        body: form,
      })
      expect(sent.status).toBe(200)
    }
    await insertPurchase(db, {
      buyer_id: fan.id,
      creator_id: owner.person.id,
      kind: 'single',
      item_id: crypto.randomUUID(),
      amount_cents: 1200,
      status: 'captured',
      created_at: clock.now(),
    })
    for (const whom of [owner, other]) {
      await writes(fan.username.toUpperCase(), whom, 'It’s me')
      await look(whom)
    }
    const seenBy = async (whom: Owner) => only((await read(whom)).items).person
    expect([await seenBy(owner), await seenBy(other)]).toEqual([null, null])
    expect(await scene.harness.api.as(fan).call(routes.me, {})).toMatchObject({ recognizable: false })
    await agree(true)
    const known = { _id: fan.id, username: fan.username, follows: false, subscribed: false }
    expect(await seenBy(owner)).toEqual({ ...known, spent: '$12' })
    expect(await seenBy(other)).toEqual({ ...known, spent: '$0' })
    const [mine] = (await read(owner)).items
    expect(await owner.api.call(routes.inboxContact, { query: named(mine as Thread) })).toMatchObject({
      person: { username: fan.username },
    })
    // A second account with the same name makes it uncertain.
    const pretender = await buildFan(scene.harness)
    await db
      .updateTable('users')
      .set({ reddit_username: fan.username, recognizable: true })
      .where('id', '=', pretender.id)
      .execute()
    expect(await seenBy(owner)).toBeNull()
    await db.updateTable('users').set({ recognizable: false }).where('id', '=', pretender.id).execute()
    await agree(false)
    expect(await seenBy(owner)).toBeNull()
  })
})
