import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { buildCreator, buildFan, buildSession } from '../../../testing/builders.ts'
import { channels, HOUR_MS } from '../../../testing/channels.ts'
import { push } from './actions.ts'

const scene = channels()
const { list, tell, sale, set, advanceTo, browser, kept } = scene

describe('a push', () => {
  test('that waits for the end of quiet hours follows a browser to its new address', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    await set(creator, { quietHours: { from: 22 * 60, to: 7 * 60 }, timeZone: 'America/New_York' })
    advanceTo(23)
    const night = { ...creator, token: await buildSession(scene.harness, creator.id) }
    const [before, after] = [browser(), browser()]
    await before.subscribe(night)
    await sale(creator, fan)
    await after.subscribe(night)
    scene.harness.clock.advance(9 * HOUR_MS)
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
      scene.harness.context.db,
    )
    const kinds = (await after.received()).map(({ payload }) => payload.kind)
    expect([kinds, await before.received()]).toEqual([['sale.made'], []])
  })

  test('that an old address doesn’t take anymore leaves the one that replaced it meanwhile', async () => {
    const [creator, next] = [await buildCreator(scene.harness), browser()]
    await browser(`gone-${randomUUID()}`).subscribe(creator)
    const { context } = scene.harness
    const service = context.push
    if (!service) throw new Error('no push service')
    const send: typeof service.send = async (...given) => {
      await next.subscribe(creator)
      return service.send(...given)
    }
    await tell({ kind: 'password.changed', person: creator.id, data: {} })
    const [subscription] = await kept(creator)
    const [told] = (await list(creator)).items
    const job = { subscriptionId: subscription?.id ?? '', notificationId: told?._id ?? '', tries: 1 }
    await push({ ...context, push: { ...service, send } }, job)
    expect(await kept(creator)).toHaveLength(1)
  })

  test('takes an address that several sessions name at once for one of them', async () => {
    const fan = await buildFan(scene.harness)
    const [first, second] = [browser(), browser()]
    const sessions = await Promise.all(Array.from({ length: 6 }, () => buildSession(scene.harness, fan.id)))
    for (const token of sessions) await browser().subscribe({ token })
    await Promise.all(sessions.map((token, at) => (at % 2 === 0 ? first : second).subscribe({ token })))
    const rows = await kept(fan)
    expect(rows).toHaveLength(2)
  })
})
