import { describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator } from '../../../../testing/builders.ts'
import { codeOf, inboxes } from '../../../../testing/inboxes.ts'

const scene = inboxes()

describe('saved replies', () => {
  test('stand by their title, are their person’s alone, and at most fifty', async () => {
    const [owner, thief] = [
      scene.harness.api.as(await buildCreator(scene.harness)),
      scene.harness.api.as(await buildCreator(scene.harness)),
    ]
    const thanks = await owner.call(routes.saveReply, {
      body: { title: 'Thanks', text: 'Thank you!\nTalk soon' },
    })
    await owner.call(routes.saveReply, { body: { title: 'Hello', text: 'Hi there' } })
    const listed = async () => (await owner.call(routes.savedReplies, {})).items
    expect((await listed()).map(({ title }) => title)).toEqual(['Hello', 'Thanks'])
    const change = { _id: thanks._id, title: 'Again', text: 'Changed' }
    expect(await codeOf(thief.call(routes.saveReply, { body: change }))).toBe('saved_reply_not_found')
    const theft = thief.call(routes.deleteSavedReply, { body: { savedReplyId: thanks._id } })
    expect(await codeOf(theft)).toBe('saved_reply_not_found')
    expect(await owner.call(routes.saveReply, { body: change })).toEqual(change)
    expect((await listed())[0]).toEqual(change)
    await owner.call(routes.deleteSavedReply, { body: { savedReplyId: thanks._id } })
    const codes = await Promise.all(
      Array.from({ length: 54 }, (_, at) =>
        codeOf(owner.call(routes.saveReply, { body: { title: `Reply ${at}`, text: 'Hi' } })),
      ),
    )
    expect(codes.filter((code) => code === 'saved_replies_full')).toHaveLength(5)
    expect(await listed()).toHaveLength(50)
  })
})
