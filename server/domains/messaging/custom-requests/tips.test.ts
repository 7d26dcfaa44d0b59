import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Person } from '../../../testing/builders.ts'
import { connect, messageOf } from '../../../testing/chat.ts'
import { customRequests } from '../../../testing/custom-requests.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import type { Harness } from '../../../testing/harness.ts'

const { scene, as, tip, conversation, refund } = customRequests()
let harness: Harness
let creator: Person
let fan: Person

beforeAll(() => {
  ;({ harness } = scene)
})
beforeEach(() => {
  ;({ creator, fan } = scene)
})

describe('a tip', () => {
  test('stands in the conversation of both once it is paid, whoever may write to the creator', async () => {
    await as(creator).call(routes.setChatSettings, { body: { audience: 'subscribers', welcomeMessage: '' } })
    const { body } = await tip('$10')
    expect(await conversation(creator, fan)).toMatchObject({
      conversation: { unread: 1, lastMessage: { tip: { amount: '$10', refunded: false } } },
      messages: [{ senderId: fan.id, content: '', tip: { amount: '$10', refunded: false } }],
    })
    // Payment doesn't give the right to write.
    expect(await conversation()).toMatchObject({
      messages: [{ tip: { amount: '$10' } }],
      refusal: { code: 'subscribers_only' },
    })
    const { conversation: before } = await conversation()
    await refund((body as { _id: string })._id, '$10')
    expect((await conversation(fan, creator, before.revision)).messages).toMatchObject([
      { tip: { amount: '$10', refunded: true } },
    ])
    await tip('$2.50')
    expect((await conversation()).messages.map((message) => message.tip?.amount)).toEqual(['$10', '$2.50'])
    const [shown] = (await conversation()).messages
    const socket = await connect(harness, creator)
    const thanks = messageOf(creator, fan, { replyTo: shown?._id })
    expect(await socket.emit('chat message', thanks)).toMatchObject({
      message: { replyTo: { content: '', tip: '$10', deleted: false } },
    })
    socket.close()
  })

  test('that is declined stands nowhere', async () => {
    const card = await cardToken(harness, TEST_CARDS.declined)
    const answer = await as(fan).send('POST', '/users/purchase', {
      body: { kind: 'tip', itemId: creator.id, amount: '$10', ...card },
    })
    expect(answer.status).toBe(402)
    expect((await conversation()).messages).toEqual([])
  })
})
