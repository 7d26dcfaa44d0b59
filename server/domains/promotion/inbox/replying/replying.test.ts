import { describe, expect, test } from 'vitest'
import { codeOf, inboxes, type Owner, only } from '../../../../testing/inboxes.ts'
import { forumAdmin, syncInboxes } from '../../../../testing/promotion.ts'

const scene = inboxes()
const { buildOwner, author, later, fault, writes, read, look, answer, calls } = scene
const repliesOf = async (owner: Owner) => (await read(owner)).items[0]?.replies ?? []

describe('a reply', () => {
  test('goes out once whatever is called twice, and is shown once', async () => {
    const owner = await buildOwner()
    await writes(author(), owner, 'A question')
    const thread = only((await look(owner)).items)
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => codeOf(answer(owner, thread, 'An answer\nin two lines '))),
    )
    expect(codes).toContain('accepted')
    expect(codes.filter((code) => !['accepted', 'forum_reply_sending'].includes(code))).toEqual([])
    expect(await calls('/api/comment', owner)).toBe(1)
    const shown = { body: 'An answer\nin two lines', own: true, state: 'sent', author: owner.account }
    expect(await repliesOf(owner)).toMatchObject([shown])
    expect((await read(owner)).items[0]?.lastContact).not.toBeNull()
    const { items } = await look(owner)
    expect(items[0]?.replies).toMatchObject([shown])
    expect(items[0]?.replies[0]?.id).toMatch(/^t4_/)
    later(2)
    await answer(owner, thread, 'An answer\nin two lines')
    expect(await calls('/api/comment', owner)).toBe(2)
  })

  test('is known by its text where the forum’s answer has no id', async () => {
    const owner = await buildOwner()
    await forumAdmin(scene.harness, 'POST', 'limits', { placeholderReplies: 'on' })
    await writes(author(), owner, 'A question')
    await writes(author(), owner, 'Another question')
    for (const thread of (await look(owner)).items) await answer(owner, thread, 'The same answer')
    const { items } = await look(owner)
    expect(items.map(({ replies }) => replies.map(({ body, id }) => [body, id.slice(0, 3)]))).toEqual([
      [['The same answer', 't4_']],
      [['The same answer', 't4_']],
    ])
    expect(await calls('/api/comment', owner)).toBe(2)
  })

  test.each(['dropAfter', 'statusAfter', 'malformed'])(
    'in doubt after %s is looked up, and never sent again',
    async (kind) => {
      const owner = await buildOwner()
      await writes(author(), owner, 'A question')
      const thread = only((await look(owner)).items)
      await fault({ path: '/api/comment', account: owner.account, kind, times: 1 })
      expect((await answer(owner, thread)).reply).toMatchObject({ state: 'sending' })
      expect(await codeOf(answer(owner, thread, 'Another'))).toBe('forum_reply_sending')
      const { items } = await look(owner)
      expect(items[0]?.replies).toMatchObject([{ body: 'Thank you!', state: 'sent' }])
      expect(items[0]?.lastContact).not.toBeNull()
      expect(await calls('/api/comment', owner)).toBe(1)
    },
  )

  test('whose process ends after it was sent, or before, is looked up as well', async () => {
    const [sent, unsent] = [await buildOwner(), await buildOwner()]
    for (const [owner, place] of [
      [sent, 'reply.answered'],
      [unsent, 'reply.claimed'],
    ] as const) {
      await writes(author(), owner, 'A question')
      const thread = only((await look(owner)).items)
      scene.killedAt = place
      expect(await codeOf(answer(owner, thread))).toBe('internal')
      scene.killedAt = null
      expect(await repliesOf(owner)).toMatchObject([{ state: 'sending' }])
    }
    later(6)
    await syncInboxes(scene.harness)
    expect(await repliesOf(sent)).toMatchObject([{ state: 'sent', id: expect.stringMatching(/^t4_/) }])
    expect(await repliesOf(unsent)).toMatchObject([{ state: 'unknown' }])
    expect([await calls('/api/comment', sent), await calls('/api/comment', unsent)]).toEqual([1, 0])
  })

  test('that never arrived is left to its person after five minutes, though nobody looks', async () => {
    const owner = await buildOwner()
    await writes(author(), owner, 'A question')
    const thread = only((await look(owner)).items)
    await fault({ path: '/api/comment', account: owner.account, kind: 'drop', times: 1 })
    await answer(owner, thread)
    expect((await look(owner)).items[0]?.replies).toMatchObject([{ state: 'sending' }])
    later(20)
    await syncInboxes(scene.harness)
    expect(await repliesOf(owner)).toMatchObject([{ state: 'unknown' }])
    expect(await calls('/api/comment', owner)).toBe(1)
    await answer(owner, thread, 'Once more')
    expect((await repliesOf(owner)).map(({ state }) => state)).toEqual(['unknown', 'sent'])
  })

  test('that is refused says why, and can be sent again', async () => {
    const owner = await buildOwner()
    const writer = author()
    await writes(writer, owner, 'A question')
    const thread = only((await look(owner)).items)
    // A message that is gone on the forum can't be answered.
    await scene.harness.context.db
      .updateTable('forum_messages')
      .set({ name: 't4_zzzzzz' })
      .where('name', '=', thread.id)
      .execute()
    const refusal = await answer(owner, thread).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'forum_reply_refused' })
    const [failed] = await repliesOf(owner)
    expect(failed).toMatchObject({ state: 'failed', body: 'Thank you!' })
    expect(failed?.failure).toContain('doesn’t let your account answer')
    expect((await read(owner)).items[0]?.lastContact).toBeNull()
    await scene.harness.context.db
      .updateTable('forum_messages')
      .set({ name: thread.id })
      .where('name', '=', 't4_zzzzzz')
      .execute()
    await answer(owner, thread)
    expect(await repliesOf(owner)).toMatchObject([{ state: 'sent' }])
  })

  test('that the forum’s limit holds back leaves nothing behind', async () => {
    const owner = await buildOwner()
    await writes(author(), owner, 'A question')
    const thread = only((await look(owner)).items)
    await fault({ path: '/api/comment', account: owner.account, kind: 'tooMany', times: 1 })
    expect(await codeOf(answer(owner, thread))).toBe('forum_busy')
    expect(await repliesOf(owner)).toEqual([])
    await answer(owner, thread)
    expect(await repliesOf(owner)).toMatchObject([{ state: 'sent' }])
  })
})
