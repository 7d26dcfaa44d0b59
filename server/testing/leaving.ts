import type { Person } from './builders.ts'
import { cardToken, TEST_CARDS } from './gateway.ts'
import type { Harness } from './harness.ts'
import { leave } from './security.ts'

export const DAY_MS = 24 * 3600 * 1000

/** A job's attempt that isn't its last. */
export const ATTEMPT = { attempt: 1, lastAttempt: false }

type Card = { cardNumber: string; cardCode: string }

/** People who leave while payments of theirs are open, on the server that the file starts before its first test. */
export function peopleWhoLeave(server: () => Harness) {
  const erase = () => server().server.jobs['account.erase']({}, ATTEMPT)
  const recover = () => server().server.jobs['purchases.recover']({}, ATTEMPT)
  const remove = async (person: Person) => {
    await leave(server(), person)
    server().clock.advance(31 * DAY_MS)
  }
  const isErased = async ({ id }: Person) => {
    const { username } = await server()
      .context.db.selectFrom('users')
      .select('username')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return username === `deleted-${id}`
  }

  async function buy(
    fan: Person,
    kind: 'single' | 'subscription',
    itemId: string,
    card: Card = TEST_CARDS.approved,
  ) {
    const body = { kind, itemId, ...(await cardToken(server(), card)) }
    await server().api.as(fan).send('POST', '/users/purchase', { body })
  }

  const purchaseOf = (fan: Person) =>
    server()
      .context.db.selectFrom('payments')
      .select(['id', 'order_id', 'status', 'reason', 'gateway_transaction_id as transactionId', 'stuck_at'])
      .where('buyer_id', '=', fan.id)
      .executeTakeFirstOrThrow()

  const forgiveGateway = () =>
    fetch(`${server().sandboxOrigin}/sandbox/authorizenet/admin/faults`, { method: 'DELETE' })

  return { erase, recover, remove, isErased, buy, purchaseOf, forgiveGateway }
}
