import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { peopleWhoLeave } from '../../../../testing/leaving.ts'
import { disputes } from '../../../../testing/money/disputes.ts'

const scene = disputes()
const { erase, remove, isErased } = peopleWhoLeave(() => scene.harness)

test.each(['creator', 'fan'] as const)(
  'it says from when until when there was access, though the %s’s account was erased',
  async (who) => {
    const { orderId } = await scene.buy('bundle')
    await remove(scene[who])
    await erase()
    expect(await isErased(scene[who])).toBe(true)
    scene.harness.clock.advance(3600_000)
    scene.operator.token = await scene.recentSession(scene.operator)
    const { status, body } = await scene.dispute(orderId)
    expect(status).toBe(200)
    const { sections } = await scene.harness.api
      .as(scene.operator)
      .call(routes.disputeEvidence, { params: { disputeId: body._id } })
    const access = sections.flatMap(({ title, facts }) => (title === 'Access' ? facts : []))
    const { granted_at: from, started_at: until } = await scene.harness.context.db
      .selectFrom('entitlements')
      .innerJoin('account_deletions', (join) => join.on('account_deletions.user_id', '=', scene[who].id))
      .select(['granted_at', 'started_at'])
      .where('source_id', '=', orderId)
      .executeTakeFirstOrThrow()
    const [begun, ended] = [from, until].map(
      (moment) => `${moment?.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    )
    expect(access).toEqual([{ label: 'Unlocked', value: `${begun} to ${ended}` }])
  },
)
