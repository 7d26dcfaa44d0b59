import type { z } from 'zod'
import { type Told, ToldEvent } from '../../../../contract/notifications.ts'
import { DELETED_USER, UNAVAILABLE_ACCOUNT } from '../../../../contract/orders.ts'
import type { Notification } from '../../../../contract/routes/notifications/inbox.ts'
import type { NotificationRow } from './data.ts'

/** A notification as its account reads it. */
export function presentNotification(row: NotificationRow): z.input<typeof Notification> {
  const { id, created_at, read_at } = row
  return { _id: id, createdAt: created_at.toISOString(), read: read_at !== null, event: presentTold(row) }
}

type ToldRow = Pick<NotificationRow, 'kind' | 'data' | 'actor' | 'leavingSince' | 'isApart'>

/** What it says, with the present name of whom it names, and defaults for fields that older notifications lack. */
export function presentTold({ kind, data, ...named }: ToldRow): Told {
  return ToldEvent.parse({ kind, data: { ...data, ...namesOf(data, named) } }) as Told
}

type Named = Omit<ToldRow, 'kind' | 'data'>

/** A creator who isn't there has neither name nor profile (docs/product.md, Suspension); who is leaving is told of by name. */
function namesOf(data: object, { actor, leavingSince, isApart }: Named): object {
  const isThere = actor !== null && leavingSince === null && !isApart
  const name = isThere ? actor : leavingSince ? DELETED_USER : UNAVAILABLE_ACCOUNT
  const id = isThere ? {} : { creatorId: null }
  if ('username' in data) return isApart ? { username: name, ...id } : { username: actor ?? data.username }
  if ('creator' in data) return { creator: name, ...id }
  if ('over' in data && data.over) return { over: { ...data.over, creator: isThere ? actor : null }, ...id }
  if (actor === null) return {}
  return 'seller' in data ? { seller: name, ...(isThere ? {} : { fromId: null }) } : { from: actor }
}
