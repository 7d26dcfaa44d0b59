import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { workLater } from './actions.ts'
import { holdMassMessage, sendBatch, startSending } from './sending/actions.ts'
import { unsendBatch } from './unsending/actions.ts'

/** After this many batches it yields to other creators' messages. */
const BATCHES_IN_TURN = 20

/**
 * Sends or unsends a mass message, batch by batch. Each batch is a transaction that records its progress, so that the next
 * run continues after an interruption, and memory holds one batch.
 */
export async function workMassMessage(
  context: Context,
  { massMessageId }: { massMessageId: string },
): Promise<void> {
  for (let batch = 1; ; batch++) {
    const began = performance.now()
    const more = await context.db.transaction().execute(async (tx) => {
      const more = await workBatch(tx, context, massMessageId)
      if (more && batch === BATCHES_IN_TURN) await workLater(tx, massMessageId)
      return more
    })
    if (!more || batch === BATCHES_IN_TURN) return
    // Leave half of the time to chats.
    await wait(performance.now() - began)
  }
}

async function workBatch(tx: Tx, context: Context, id: string): Promise<boolean> {
  const now = context.clock.now()
  const message = await holdMassMessage(tx, id)
  switch (message?.status) {
    case 'scheduled':
      return startSending(tx, context, message, now)
    case 'sending':
      return sendBatch(tx, message, now)
    case 'unsending':
      return unsendBatch(tx, message, now)
    default:
      return false
  }
}
