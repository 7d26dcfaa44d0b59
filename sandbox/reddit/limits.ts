import { type AccountRow, type Forum, readSetting } from './store.ts'
import { type Answer, refused } from './wire.ts'

const WINDOW_SECONDS = 600

/** Younger, or with less karma, an account has to wait between posts. */
const TRUSTED = { days: 30, karma: 100 }
const DAY_MS = 86_400_000

/** Counts one call of the client and says what its three headers tell. */
export function spendBudget(forum: Forum): { headers: Record<string, string>; isOver: boolean } {
  const now = forum.now().getTime()
  const total = Number(readSetting(forum, 'budget'))
  const row = forum.db
    .prepare(
      `insert into budget values (?, 1, ?) on conflict (client) do update set
         used = case when endsAt <= ? then 1 else used + 1 end, endsAt = case when endsAt <= ? then excluded.endsAt else endsAt end
       returning used, endsAt`,
    )
    .get(forum.client.id, now + WINDOW_SECONDS * 1000, now, now) as { used: number; endsAt: number }
  return {
    isOver: row.used > total,
    headers: {
      'x-ratelimit-used': String(Math.min(row.used, total)),
      'x-ratelimit-remaining': `${Math.max(0, total - row.used)}.0`,
      'x-ratelimit-reset': String(Math.ceil((row.endsAt - now) / 1000)),
    },
  }
}

/** Seconds until this account may post again; 0 at once. */
export function postingWait(forum: Forum, account: AccountRow): number {
  const now = forum.now().getTime()
  const isTrusted =
    now - account.createdAt >= TRUSTED.days * DAY_MS &&
    account.linkKarma + account.commentKarma >= TRUSTED.karma
  if (isTrusted || account.lastPostAt === null) return 0
  return Math.max(0, Number(readSetting(forum, 'postingSeconds')) - (now - account.lastPostAt) / 1000)
}

export function waitRefusal(seconds: number): Answer {
  const rounded = Math.ceil(seconds)
  const wait = rounded < 60 ? `${rounded} seconds` : `${Math.ceil(rounded / 60)} minutes`
  return refused([['RATELIMIT', `Too many posts just now; wait for ${wait}, then repeat.`, 'ratelimit']], {
    ratelimit: seconds,
  })
}
