import { describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { codeOf, inboxes, type Owner, only, type Thread } from '../../../../testing/inboxes.ts'
import { connectForum, forumAdmin, syncInboxes } from '../../../../testing/promotion.ts'

const scene = inboxes()
const { buildOwner, author, later, fault, writes, read, look, named, answer, calls } = scene
const bodies = async (owner: Owner, query: object = {}) =>
  (await read(owner, query)).items.map(({ body }) => body)
const repliesOf = async (owner: Owner) => (await read(owner)).items[0]?.replies ?? []

describe('reading an inbox', () => {
  test('is done for those that somebody looks at, once however many do it', async () => {
    const owner = await buildOwner()
    await writes(author(), owner, 'Hello')
    await syncInboxes(scene.harness)
    expect(await calls('/message/inbox', owner)).toBe(0)
    await read(owner)
    await Promise.all(Array.from({ length: 5 }, () => syncInboxes(scene.harness)))
    await Promise.all(Array.from({ length: 5 }, () => owner.api.call(routes.syncInbox, {})))
    expect(await calls('/message/inbox', owner)).toBe(1)
    // It was read a moment ago, so that asking does nothing before half a minute is over.
    const { againAt } = await owner.api.call(routes.syncInbox, {})
    const read30 = Date.parse((await read(owner)).syncedAt ?? '') + 30_000
    expect(Math.abs(Date.parse(againAt ?? '') - read30)).toBeLessThan(2000)
    later(0.6)
    const before = (await read(owner)).syncedAt ?? ''
    const { syncedAt, againAt: none } = await owner.api.call(routes.syncInbox, {})
    expect(none).toBeNull()
    expect(Date.parse(syncedAt ?? '') - Date.parse(before)).toBeGreaterThanOrEqual(0.6 * 60_000)
    expect(await calls('/message/inbox', owner)).toBe(2)
    later(11)
    await syncInboxes(scene.harness)
    expect(await calls('/message/inbox', owner)).toBe(2)
    expect(await bodies(owner)).toEqual(['Hello'])
  })

  test.each([
    ['leads away', { kind: 'status', status: 302 }],
    ['is out of order', { kind: 'status', status: 503 }],
    ['breaks off', { kind: 'drop' }],
    ['can’t be read', { kind: 'malformed' }],
    ['is a page', { kind: 'html', status: 200 }],
  ])('keeps what was known while the forum %s, and asks less often', async (_, broken) => {
    const owner = await buildOwner()
    await writes(author(), owner, 'Known')
    await look(owner)
    await fault({ path: '/message/', account: owner.account, times: null, ...broken })
    expect(await look(owner)).toMatchObject({
      failure: 'unavailable',
      items: [{ body: 'Known', outOfSync: false }],
    })
    const before = await calls('/message/', owner)
    later(1)
    await syncInboxes(scene.harness)
    expect(await calls('/message/', owner)).toBe(before)
    await forumAdmin(scene.harness, 'DELETE', 'faults')
    expect(await look(owner)).toMatchObject({ failure: null, items: [{ body: 'Known' }] })
  })

  test('where messages moved is unavailable, never a reason to connect again', async () => {
    const owner = await buildOwner()
    await forumAdmin(scene.harness, 'POST', 'limits', { messagesMoved: 'on' })
    expect(await look(owner)).toMatchObject({ items: [], failure: 'unavailable' })
    await writes(author(), owner, 'Still here')
    expect(await look(owner)).toMatchObject({ items: [{ body: 'Still here' }], failure: null })
    const { items } = await owner.api.call(routes.forumAccounts, {})
    expect(items[0]?.status).toBe('connected')
  })

  test('of an account that was taken back says so, and keeps what was known', async () => {
    const owner = await buildOwner()
    await writes(author(), owner, 'Known')
    await look(owner)
    await forumAdmin(scene.harness, 'POST', 'tokens/revoke', { account: owner.account })
    expect(await look(owner)).toMatchObject({ failure: 'reconnect', items: [{ body: 'Known' }] })
    const thread = only((await read(owner)).items)
    expect(await codeOf(answer(owner, thread))).toBe('forum_reconnect')
    expect(await repliesOf(owner)).toEqual([])
    await connectForum(scene.harness, owner.person, owner.account)
    expect(await look(owner)).toMatchObject({ failure: null, items: [{ body: 'Known' }] })
  })

  test.each([
    ['suspended', { suspended_at: new Date(), suspension_reason: 'Stolen pictures' }],
    ['being deleted', { deletion_requested_at: new Date() }],
  ])('of somebody who is %s ends with that, but for a reply in doubt', async (_, hidden) => {
    const owner = await buildOwner()
    const hide = () =>
      scene.harness.context.db.updateTable('users').set(hidden).where('id', '=', owner.person.id).execute()
    await writes(author(), owner, 'Hello')
    const thread = only((await look(owner)).items)
    const before = await calls('/message/inbox', owner)
    later(2.5)
    await hide()
    await syncInboxes(scene.harness)
    expect(await calls('/message/inbox', owner)).toBe(before)
    const set = { suspended_at: null, suspension_reason: null, deletion_requested_at: null }
    await scene.harness.context.db.updateTable('users').set(set).where('id', '=', owner.person.id).execute()
    await fault({ kind: 'dropAfter', path: '/api/comment', account: owner.account, times: 1 })
    expect((await answer(owner, thread)).reply).toMatchObject({ state: 'sending' })
    await hide()
    later(2.5)
    await syncInboxes(scene.harness)
    const { db } = scene.harness.context
    const left = db.selectFrom('forum_replies').select('id').where('thread_id', '=', thread._id)
    expect([await calls('/message/inbox', owner), await left.execute()]).toEqual([before + 1, []])
  })

  test('marks what is gone from the forum’s inbox, and takes that back', async () => {
    const owner = await buildOwner()
    const gone = author()
    await writes(gone, owner, 'Gone')
    await writes(author(), owner, 'There')
    const { items } = await look(owner)
    const thread = items.find((item) => item.author === gone) as Thread
    const { db } = scene.harness.context
    const name = 't4_zz1'
    await db.updateTable('forum_messages').set({ name }).where('name', '=', thread.id).execute()
    await db.updateTable('forum_threads').set({ key: name }).where('id', '=', thread._id).execute()
    const after = await look(owner)
    expect(after.items.find(({ _id }) => _id === thread._id)).toMatchObject({ outOfSync: true })
    expect(after.items.find(({ body }) => body === 'There')).toMatchObject({ outOfSync: false })
    const query = named(thread)
    expect(await owner.api.call(routes.inboxContact, { query })).toMatchObject({ outOfSync: true })
    await db.deleteFrom('forum_messages').where('name', '=', thread.id).execute()
    await db.updateTable('forum_messages').set({ name: thread.id }).where('name', '=', name).execute()
    const back = await look(owner)
    expect(back.items.find(({ _id }) => _id === thread._id)).toMatchObject({ outOfSync: false })
  })
})
