import fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'

type Query = {
  tagIds?: string | string[]
  creatorId?: string
  userId?: string
  words?: string
  time?: string
  rank?: string
  id?: string
}
type Statement = { name: string; text: string; values: unknown[] }

const ITEM = 'select m.*, u.username from media m join users u on u.id = m.creator_id'
const PAGE = 'limit 16'

/** Every list once more, as little as it takes: Fastify without schemas, one prepared statement of pg, JSON. */
export async function startBare(connectionString: string): Promise<FastifyInstance> {
  const pool = new pg.Pool({ connectionString, max: 20 })
  pool.on('error', () => {})
  const app = fastify()
  const list = (path: string, statementFor: (query: Query) => Statement) =>
    app.get(path, async (request) => {
      const { rows } = await pool.query(statementFor(request.query as Query))
      return { items: rows.slice(0, 15), hasMore: rows.length > 15 }
    })
  list('/discover', discover)
  list('/popular', popular)
  list('/profile', profile)
  list('/content', content)
  list('/search', search)
  app.addHook('onClose', () => pool.end())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

function discover({ tagIds = [], time, id }: Query): Statement {
  const tags = [tagIds].flat()
  const values = [...(time ? [time, id] : []), ...tags]
  const name = `discover ${tags.length} ${time ? 'further' : ''}`
  const after = (table: string, key: string) =>
    time ? `and (${table}.created_at, ${table}.${key}) < ($1::timestamptz, $2::uuid)` : ''
  if (tags.length === 0) {
    const text = `${ITEM} where m.deleted_at is null and m.show_in_search and not m.must_unlock and not m.direct_only
      ${after('m', 'id')} order by m.created_at desc, m.id desc ${PAGE}`
    return { name, text, values }
  }
  const branches = tags.map(
    (_, index) => `(select t.created_at, t.media_id from media_tags t
      where t.tag_id = $${index + 1 + (time ? 2 : 0)} and t.discoverable ${after('t', 'media_id')}
      order by t.created_at desc, t.media_id desc ${PAGE})`,
  )
  const text = `${ITEM} join (
      select distinct created_at, media_id from (${branches.join(' union all ')}) as carried
      order by created_at desc, media_id desc ${PAGE}
    ) as found on found.media_id = m.id order by found.created_at desc, found.media_id desc`
  return { name, text, values }
}

function popular({ rank, id }: Query): Statement {
  const text = `${ITEM} where m.deleted_at is null and m.show_in_search and not m.must_unlock and not m.direct_only
    and m.quarantined_at is null ${rank ? 'and (m.popularity, m.id) < ($1::numeric, $2::uuid)' : ''}
    order by m.popularity desc, m.id desc ${PAGE}`
  return { name: `popular ${rank ? 'further' : ''}`, text, values: rank ? [rank, id] : [] }
}

function profile({ creatorId, rank, id }: Query): Statement {
  const text = `${ITEM} where m.creator_id = $1 and m.deleted_at is null and not m.direct_only
    ${rank ? 'and (m.rank, m.id) < ($2::numeric, $3::uuid)' : ''} order by m.rank desc, m.id desc ${PAGE}`
  return { name: `profile ${rank ? 'further' : ''}`, text, values: [creatorId, ...(rank ? [rank, id] : [])] }
}

function content({ userId, time, id }: Query): Statement {
  const text = `${ITEM} join entitlement_media e on e.media_id = m.id join entitlements g on g.id = e.entitlement_id
    where e.user_id = $1 and g.revoked_at is null
    ${time ? 'and (e.granted_at, e.media_id) < ($2::timestamptz, $3::uuid)' : ''}
    order by e.granted_at desc, e.media_id desc ${PAGE}`
  return { name: `content ${time ? 'further' : ''}`, text, values: [userId, ...(time ? [time, id] : [])] }
}

function search({ words }: Query): Statement {
  const text = `${ITEM} join media_search s on s.media_id = m.id
    where s.document @@ websearch_to_tsquery('simple', $1) and m.deleted_at is null and m.show_in_search and not m.direct_only
    order by ts_rank(s.document, websearch_to_tsquery('simple', $1)) desc, m.created_at desc, m.id desc ${PAGE}`
  return { name: 'search', text, values: [words] }
}
