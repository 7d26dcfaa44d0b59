import { createHash } from 'node:crypto'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import pg from 'pg'
import pino from 'pino'

type Query = { filler?: string; time?: string; id?: string }

const SESSION = `select s.id, s.expires_at, u.id as user_id, u.username from sessions s join users u on u.id = s.user_id
  where s.token_hash = $1 and s.expires_at > now()`
const FREE = 'm.deleted_at is null and m.show_in_search and not m.must_unlock and not m.direct_only'
const ITEM = `select m.id, m.type, m.title, m.width, m.height, m.thumbhash, m.duration_seconds, m.created_at, u.username
  from media m join users u on u.id = m.creator_id`

/**
 * As little as a call of somebody logged in takes: Fastify, one prepared statement for the session and one for the
 * rows, JSON, one line of log. `filler` makes an answer as many bytes longer, so that it weighs what it is compared with.
 */
export async function startSessionServer(connectionString: string): Promise<FastifyInstance> {
  const pool = new pg.Pool({ connectionString, max: 20 })
  pool.on('error', () => {})
  const app: FastifyInstance = fastify({
    loggerInstance: pino(pino.destination('/dev/null')) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    request.log.info(
      { method, route: routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime },
      'answered',
    )
  })
  const call = (path: string, answer: (query: Query, userId: string) => Promise<object>) =>
    app.get(path, async (request, reply) => {
      const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
      const hash = createHash('sha256').update(token).digest()
      const { rows } = await pool.query({ name: 'session', text: SESSION, values: [hash] })
      if (!rows[0]) return reply.code(401).send({ error: 'no session' })
      const query = request.query as Query
      const body = await answer(query, rows[0].user_id)
      return query.filler ? { ...body, filler: 'x'.repeat(Number(query.filler)) } : body
    })
  const one = async (name: string, text: string, id: string) =>
    (await pool.query({ name, text, values: [id] })).rows[0]
  call('/discover', async ({ time, id }) => {
    const after = time ? 'and (m.created_at, m.id) < ($1::timestamptz, $2::uuid)' : ''
    const text = `${ITEM} where ${FREE} ${after} order by m.created_at desc, m.id desc limit 16`
    const { rows } = await pool.query({ name: `discover${after}`, text, values: time ? [time, id] : [] })
    return { items: rows.slice(0, 15), hasMore: rows.length > 15 }
  })
  call('/media', ({ id = '' }) => one('media', `${ITEM} where m.id = $1`, id))
  call('/me', (_query, userId) =>
    one(
      'me',
      'select id, username, email, first_name, last_name, bio from users join profiles on user_id = id where id = $1',
      userId,
    ),
  )
  app.addHook('onClose', () => pool.end())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}
