import { expect, test } from 'vitest'
import { messageOf } from './unlock.ts'

const attached = { media: { type: 'image' as const } }
const owned = { media: { ...attached.media, owned: true as const } }

test.each([
  [[attached, attached], undefined],
  [[owned, attached], 1],
])('a message is sold with how much of it its fan has', (attachments, count) => {
  const sold = messageOf({ _id: 'message', price: '$5', attachments }, 'mara')
  expect([sold.itemCount, sold.owned, sold.price]).toEqual([2, count, '$5'])
})
