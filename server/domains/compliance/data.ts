import type { Db } from '../../db/client.ts'
import type { Place } from '../../ports/geo/port.ts'

/**
 * Whether visitors at this place may see content only after an age check. A region counts by its code or its full
 * name, whatever their case, within its own country; an unknown one is not restricted (decisions §3, §10).
 */
export async function isRestricted(db: Db, { country, region }: Place): Promise<boolean> {
  if (!country || !region) return false
  const wanted = region.toLowerCase()
  const row = await db
    .selectFrom('restricted_regions')
    .select('code')
    .where('country', '=', country.toUpperCase())
    .where((eb) =>
      eb.or([eb(eb.fn('lower', ['code']), '=', wanted), eb(eb.fn('lower', ['name']), '=', wanted)]),
    )
    .executeTakeFirst()
  return row !== undefined
}
