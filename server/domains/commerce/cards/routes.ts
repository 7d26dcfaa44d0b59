import type { Body } from '../../../../contract/route.ts'
import type { cardRoutes } from '../../../../contract/routes/commerce/cards.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { chargeDue } from '../renewals/charging/actions.ts'
import { countRenewed, findPastDue } from '../renewals/charging/data.ts'
import { centsOf } from '../rules.ts'
import { removeCard, renewBy, requireAsShown, takeCardsTurn } from './actions.ts'
import { addCard } from './adding/actions.ts'
import { additionRefusal } from './adding/rules.ts'
import { hashedNetwork } from './attempts/actions.ts'
import { listCards, listOwed, listRenewedByCard } from './data.ts'
import { presentCard, presentPastDue } from './present.ts'
import type { Owed } from './rules.ts'

export const cardHandlers = {
  async cards({ db, viewer, now }) {
    const pastDue = presentPastDue(await listOwed(db, viewer.id, now))
    return { items: await cardsOf(db, viewer.id, now), pastDue }
  },
  async addCard({ context, db, viewer, body, client, idempotencyKey, now }) {
    const { dataDescriptor, dataValue, billTo, replaces = null } = body
    const shown = shownOf(body)
    const pastDue = shown?.map(({ id }) => id) ?? (await findPastDue(db, viewer.id))
    const { addition, first } = await addCard(context, {
      user: viewer,
      token: { dataDescriptor, dataValue, billTo },
      replaces,
      shown,
      network: hashedNetwork(context, client.ip),
      idempotencyKey,
    })
    const refused = additionRefusal(addition, first)
    if (refused) throw new AppError(refused)
    const retried = await retry(context, viewer.id, pastDue)
    const card = (await cardsOf(db, viewer.id, now)).find(({ _id }) => _id === addition.stored_card_id)
    if (!card) throw new AppError('card_not_found')
    return { card, ...retried }
  },
  async removeCard({ db, viewer, body, now }) {
    await takeCardsTurn(db, viewer.id)
    await removeCard(db, { userId: viewer.id, cardId: body.cardId, now })
    return { items: await cardsOf(db, viewer.id, now) }
  },
  async renewByCard({ context, db, viewer, body, now }) {
    const shown = shownOf(body)
    const dueIds = shown?.map(({ id }) => id) ?? null
    const pastDue = dueIds ?? (await findPastDue(db, viewer.id))
    const asked = { userId: viewer.id, cardId: body.cardId, now }
    await context.db.transaction().execute(async (tx) => {
      await takeCardsTurn(tx, viewer.id)
      if (shown) await requireAsShown(tx, viewer.id, shown, now)
      await renewBy(tx, asked, 'all', dueIds)
    })
    const retried = await retry(context, viewer.id, pastDue)
    return { items: await cardsOf(db, viewer.id, now), ...retried }
  },
} satisfies Partial<Handlers>

async function cardsOf(db: Db, userId: string, now: Date) {
  const renewed = await listRenewedByCard(db, userId)
  return (await listCards(db, userId)).map((row) => presentCard(row, renewed, now))
}

/** What the caller was shown to be past due; null when they did not say. */
function shownOf({ pastDue }: Pick<Body<typeof cardRoutes.renewByCard>, 'pastDue'>): Owed[] | null {
  return pastDue?.map(({ _id, price }) => ({ id: _id, cents: centsOf(price) })) ?? null
}

/** Charges what was past due to its new card, and says what became of it. */
async function retry(context: Context, userId: string, pastDue: string[]) {
  if (pastDue.length > 0) await chargeDue(context, userId)
  const stillPastDue = (await findPastDue(context.db, userId)).filter((id) => pastDue.includes(id)).length
  return { renewed: await countRenewed(context.db, pastDue), stillPastDue }
}
