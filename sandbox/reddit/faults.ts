import type { Forum } from './store.ts'

export const faultKinds = [
  'status',
  'statusAfter',
  'slow',
  'html',
  'drop',
  'dropAfter',
  'malformed',
  'tooMany',
  'refuse',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** `path` is a prefix; null for any path or account. `times` null lasts until it's cleared. */
export type Fault = {
  path: string | null
  account: string | null
  kind: FaultKind
  status: number
  delayMilliseconds: number
  times: number | null
  /** What `refuse` says. */
  code: string | null
  message: string | null
}

export function planFault(
  { db }: Forum,
  { path, account, kind, status, delayMilliseconds, times, code, message }: Fault,
): void {
  db.prepare(
    'insert into faults (path, account, kind, status, delayMilliseconds, times, code, message) values (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(path, account, kind, status, delayMilliseconds, times, code, message)
}

export const clearFaults = ({ db }: Forum): void => db.exec('delete from faults')

export function plannedFaults({ db }: Forum): Fault[] {
  return db
    .prepare(
      'select path, account, kind, status, delayMilliseconds, times, code, message from faults order by id',
    )
    .all() as Fault[]
}

/** Takes the oldest fault that fits this call, or null. */
export function takeFault({ db }: Forum, path: string, account: string | null): Fault | null {
  const row = db
    .prepare(
      `select * from faults where (path is null or substr(?, 1, length(path)) = path)
       and (account is null or account = ?) order by id limit 1`,
    )
    .get(path, account) as (Fault & { id: number }) | undefined
  if (!row) return null
  if (row.times !== null && row.times > 1)
    db.prepare('update faults set times = times - 1 where id = ?').run(row.id)
  else if (row.times !== null) db.prepare('delete from faults where id = ?').run(row.id)
  return row
}
