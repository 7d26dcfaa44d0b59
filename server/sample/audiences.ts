import type { Context } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { changeList, saveList, setNote } from '../domains/messaging/fan-lists/actions.ts'
import { type Saving, saveMassMessage } from '../domains/messaging/mass-messages/actions.ts'
import { holdMassMessage, sendBatch } from '../domains/messaging/mass-messages/sending/actions.ts'
import { type SampleItem, sampleId } from './content.ts'

const HOUR_MS = 3600 * 1000
const CREATOR = 'mara'

const LISTS = [
  { name: 'Hut friends', fans: ['greta', 'noor', 'emil'] },
  { name: 'Big supporters', fans: ['samir', 'ida.k'] },
] as const

const NOTES = [
  { fan: 'samir', note: 'Asks for series without clouds. Has a wide monitor.' },
  { fan: 'greta', note: 'Walks the hut trail every summer. Send her the new map first.' },
] as const

/** A creator’s lists of fans and notes on them, two messages that went to many, and one that waits for its time. */
export async function insertAudiences(
  db: Tx,
  { config }: Pick<Context, 'config'>,
  items: SampleItem[],
  now: Date,
): Promise<void> {
  const creatorId = sampleId(CREATOR)
  const listIds: string[] = []
  for (const { name, fans } of LISTS) {
    const listId = await saveList(db, creatorId, { listId: undefined, name, now })
    await changeList(db, creatorId, { listId, add: fans.map(sampleId), remove: [], now })
    listIds.push(listId)
  }
  for (const { fan, note } of NOTES) await setNote(db, creatorId, { fanId: sampleId(fan), note, now })
  const [hutFriends] = listIds
  const sold = items.filter(({ creatorId: owner, offer }) => owner === creatorId && offer === 'single')
  const save = (saving: Partial<Saving> & { content: string; hours: number }) => {
    const { hours, ...rest } = saving
    const at = new Date(now.getTime() + hours * HOUR_MS)
    return saveMassMessage(db, {
      creatorId,
      mediaIds: [],
      audience: 'followers',
      publishingOpen: true,
      config,
      now: hours < 0 ? at : now,
      ...(hours > 0 ? { sendAt: at.toISOString() } : {}),
      ...rest,
    })
  }
  const sent = [
    await save({
      hours: -100,
      content: 'The first snow is on the ridge. New pictures every morning this week.',
    }),
    await save({
      hours: -75,
      content: 'Three from the summit that nobody has seen yet.',
      mediaIds: sold.slice(0, 3).map(({ id }) => id),
      price: '$7.50',
    }),
  ]
  for (const id of sent) {
    const message = await holdMassMessage(db, id)
    if (message) await sendBatch(db, message, message.send_at)
  }
  await save({
    hours: 44,
    content: 'I’ll be at the hut on Sunday. Say hello if you walk up.',
    audience: 'list',
    listId: hutFriends,
  })
}
