import type { Tx } from '../db/client.ts'
import { markAsRead } from '../domains/messaging/conversations/actions.ts'
import { conversationIdOf } from '../domains/messaging/data.ts'
import { reactToMessage } from '../domains/messaging/messages/actions.ts'
import { storeMessage } from '../domains/messaging/messages/sending/actions.ts'
import { audienceOf } from '../viewer.ts'
import { type SampleItem, sampleId } from './content.ts'

const MINUTE_MS = 60_000

type Line = {
  by: 'fan' | 'creator'
  text: string
  /** Pictures of the creator's, by how they are offered elsewhere, free or for a price. */
  pictures?: { of: SampleItem['offer']; count: number; price?: string }
  reaction?: '❤️' | '🔥' | '😂' | '👏'
}

type Talk = { fan: string; creator: string; hoursAgo: number; read: boolean; lines: readonly Line[] }

/** The lines of the sample conversations; those of one come a few minutes apart. */
const TALKS: readonly Talk[] = [
  {
    fan: 'finn',
    creator: 'mara',
    hoursAgo: 3,
    read: false,
    lines: [
      { by: 'fan', text: 'The picture of the saddle is my desktop now. Where was that?' },
      { by: 'creator', text: 'Thank you! Two hours above the hut, just before the rain.', reaction: '❤️' },
      {
        by: 'creator',
        text: 'Here are two more from that morning.',
        pictures: { of: 'free', count: 2 },
        reaction: '🔥',
      },
      { by: 'fan', text: 'The second one is wonderful. Do you have it without the cloud?' },
      {
        by: 'creator',
        text: 'I have the whole series, if you’d like it.',
        pictures: { of: 'bundle', count: 3, price: '$9.50' },
      },
    ],
  },
  {
    fan: 'greta',
    creator: 'mara',
    hoursAgo: 26,
    read: true,
    lines: [
      { by: 'fan', text: 'Are you going back to the ridge this winter?' },
      { by: 'creator', text: 'In February, when the light is low. I’ll post from up there.' },
      { by: 'fan', text: 'Looking forward to it!', reaction: '👏' },
    ],
  },
  {
    fan: 'samir',
    creator: 'mara',
    hoursAgo: 1,
    read: false,
    lines: [
      { by: 'fan', text: 'Which lens do you take when you can only carry one?' },
      { by: 'fan', text: 'And does it survive the cold?' },
    ],
  },
  {
    fan: 'paula',
    creator: 'mara',
    hoursAgo: 70,
    read: true,
    lines: [
      { by: 'fan', text: 'I made it to the hut because of your map. Thank you.' },
      { by: 'creator', text: 'You just made my week.', reaction: '❤️' },
    ],
  },
  {
    fan: 'finn',
    creator: 'okko',
    hoursAgo: 50,
    read: true,
    lines: [
      { by: 'fan', text: 'How do you keep the camera dry on the boat?' },
      { by: 'creator', text: 'A shower cap. Really.', reaction: '😂' },
    ],
  },
  {
    fan: 'finn',
    creator: 'ines.clay',
    hoursAgo: 120,
    read: true,
    lines: [
      { by: 'fan', text: 'Will there be more of the celadon jars?' },
      {
        by: 'creator',
        text: 'They come out of the kiln on Friday. This is how they went in.',
        pictures: { of: 'free', count: 1 },
      },
    ],
  },
]

/** Conversations of creators and fans, written by the same function that real messages are. */
export async function insertConversations(db: Tx, items: SampleItem[], now: Date): Promise<void> {
  for (const talk of TALKS) await insertTalk(db, talk, items, now)
}

async function insertTalk(
  db: Tx,
  { fan, creator, hoursAgo, read, lines }: Talk,
  items: SampleItem[],
  now: Date,
): Promise<void> {
  const ids = { fan: sampleId(fan), creator: sampleId(creator) }
  const conversationId = conversationIdOf(ids.fan, ids.creator)
  for (const [index, { by, text, pictures, reaction }] of lines.entries()) {
    const [senderId, recipientId] = by === 'fan' ? [ids.fan, ids.creator] : [ids.creator, ids.fan]
    const at = new Date(now.getTime() - (hoursAgo * 60 - index * 7) * MINUTE_MS)
    const sender = { id: senderId, isCreator: by === 'creator' }
    const place = { country: null, region: null }
    const messageId = await storeMessage(db, {
      sender,
      audience: { ...audienceOf({ ...sender, role: null }, place), id: senderId },
      recipientId,
      draft: {
        content: text,
        mediaIds: items
          .filter((item) => item.creatorId === ids.creator && item.offer === pictures?.of)
          .slice(0, pictures?.count ?? 0)
          .map(({ id }) => id),
        ...(pictures?.price ? { price: pictures.price } : {}),
      },
      publishingOpen: true,
      config: { MIN_PRICE_CENTS: 1 },
      now: at,
    })
    // Answering means that everything before was read; the last line stays unread if nobody has looked yet.
    if (read || index < lines.length - 1)
      await markAsRead(db, { conversationId, messageId, userId: recipientId, now: at })
    if (reaction) await reactToMessage(db, { messageId, userId: recipientId, emoji: reaction, now: at })
  }
}
