import { type Effect, type EffectName, effects, isEffectName } from './effects.ts'
import type { Gateway } from './gateway.ts'
import type { CallName } from './schema/requests.ts'

/** Plans an effect for the next `times` calls of that name, or of any name when `call` is null. */
export function planFault(
  gateway: Gateway,
  planned: { call: CallName | null; effect: EffectName; times: number },
): void {
  const insert = gateway.db.prepare('insert into faults (call, effect) values (?, ?)')
  for (let count = 0; count < planned.times; count += 1) insert.run(planned.call, planned.effect)
}

/** Takes the oldest planned effect that fits this call, or null. */
export function takeFault(gateway: Gateway, call: CallName): Effect | null {
  const row = gateway.db
    .prepare('select id, effect from faults where call is null or call = ? order by id limit 1')
    .get(call) as { id: number; effect: string } | undefined
  if (!row || !isEffectName(row.effect)) return null
  gateway.db.prepare('delete from faults where id = ?').run(row.id)
  return effects[row.effect]
}

/** The planned faults that are still to come, oldest first. */
export function plannedFaults(gateway: Gateway): { call: string | null; effect: string }[] {
  return gateway.db.prepare('select call, effect from faults order by id').all() as {
    call: string | null
    effect: string
  }[]
}

export function clearFaults(gateway: Gateway): void {
  gateway.db.exec('delete from faults')
}
