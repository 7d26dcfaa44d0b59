import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import pino from 'pino'
import { SANDBOX_CREDENTIALS } from '../../sandboxes.ts'
import { createClock } from '../../server/clock.ts'
import { readConfig } from '../../server/config.ts'
import type { SandboxAddresses } from '../../server/context.ts'
import { type RunningServer, startServer } from '../../server/main.ts'

/** The real server on this database, without rate limits and without jobs unless asked; its log is discarded. */
export function startFanfare(
  connectionString: string,
  dataDir: string,
  {
    logging = false,
    reddit = null,
    role = 'web',
    rateLimits = false,
  }: {
    logging?: boolean
    reddit?: SandboxAddresses['reddit']
    role?: 'web' | 'all'
    rateLimits?: boolean
  } = {},
): Promise<RunningServer> {
  return startServer({
    config: readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: logging ? 'info' : 'silent',
      ROLE: role,
      // A crowd comes from as many networks as it says.
      ...(rateLimits
        ? { TRUST_PROXY: '127.0.0.1', SANDBOX_TOKEN: 'asked for where a proxy is trusted' }
        : {}),
    }),
    connectionString,
    publicUrl: 'http://localhost',
    secretKey: 'a secret for the benchmark, long enough',
    clock: createClock(),
    log: pino({ level: logging ? 'info' : 'silent' }, pino.destination('/dev/null')),
    sandboxes: {
      authorizenet: {
        ...SANDBOX_CREDENTIALS,
        apiUrl: 'http://127.0.0.1:9',
        scriptUrl: 'http://127.0.0.1:9',
      },
      age: null,
      reddit,
      smtpUrl: 'smtp://127.0.0.1:9',
    },
    sandboxPlugins: {},
    clientDir: null,
    rateLimits,
  })
}

/** The headers of a browser that called before, so that it holds its companion cookie: a visitor's, or a session's. */
export async function browserHeaders(address: string, token: string | null): Promise<Record<string, string>> {
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const first = await fetch(`${address}/api/media/discover`, { headers: authorization })
  const cookie = first.headers.getSetCookie().map((line) => line.split(';')[0])
  return { ...authorization, cookie: cookie.join('; ') }
}

/** Logs this person in; returns the session's token. */
export async function logIn(pool: pg.Pool, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at)
     values ($1, $2, now(), now(), now() + interval '30 days')`,
    [userId, createHash('sha256').update(token).digest()],
  )
  return token
}
