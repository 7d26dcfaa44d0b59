import type pg from 'pg'
import type { Comparison } from './measure.ts'

/** Page 1,000 of 15 items begins after this many. */
const PAGE_1000 = 999 * 15
/** The last page but a few of what the fan bought. */
const LATE_PAGE = 300 * 15

type Headers = Record<string, string>
type Addresses = { bare: string; fanfare: string; fan: Headers; visitor: Headers }
/** Where the next page starts: the cursor, and the parameters of the bare server. */
type Position = { cursor: string; value: string; id: string }

/** Every list that is measured, with the same rows on both sides. */
export async function comparisons(pool: pg.Pool, at: Addresses): Promise<Comparison[]> {
  const tagIds = (await column(pool, 'select id from tags order by uses desc, id limit 3')) as string[]
  const [creatorId = ''] = await column(pool, "select id from users where username = 'creator1'")
  const [fanId = ''] = await column(pool, "select id from users where username = 'creator0'")
  const lists: Comparison[] = []
  const add = (name: string, bare: string, path: string, more: { headers?: Headers; target?: number } = {}) =>
    lists.push({
      name,
      bare: at.bare + bare,
      fanfare: { url: `${at.fanfare}/api${path}`, headers: more.headers ?? at.fan },
      target: more.target ?? 0.65,
    })
  for (const count of [0, 1, 3]) {
    const tags = tagIds.slice(0, count).map((id) => `tagIds=${id}`)
    const page = (more: string[] = []) => [...tags, ...more].join('&')
    const deep = await discoverPosition(pool, tagIds.slice(0, count))
    const bareDeep = page([`time=${encodeURIComponent(deep.value)}`, `id=${deep.id}`])
    const name = `discover, ${count} tags`
    add(`${name}, first page`, `/discover?${page()}`, `/media/discover?${page()}`)
    add(`${name}, page 1,000`, `/discover?${bareDeep}`, `/media/discover?${page([`cursor=${deep.cursor}`])}`)
    add(`${name}, visitor, first page`, `/discover?${page()}`, `/media/discover?${page()}`, {
      headers: at.visitor,
      target: 1,
    })
    add(
      `${name}, visitor, page 1,000`,
      `/discover?${bareDeep}`,
      `/media/discover?${page([`cursor=${deep.cursor}`])}`,
      { headers: at.visitor },
    )
    if (count === 1)
      add(
        `${name}, skip=1000 : first page`,
        `/discover?${page()}`,
        `/media/discover?${page(['skip=1000'])}`,
        {
          target: 0.4,
        },
      )
  }
  const popular = await position(
    pool,
    `select popularity::text as value, id from media where deleted_at is null and quarantined_at is null
       and show_in_search and not must_unlock and not direct_only
     order by popularity desc, id desc offset ${PAGE_1000 - 1} limit 1`,
  )
  add('popular, first page', '/popular', '/media/discover?sort=popular')
  add(
    'popular, page 1,000',
    `/popular?rank=${popular.value}&id=${popular.id}`,
    `/media/discover?sort=popular&cursor=${Buffer.from(popular.id).toString('base64url')}`,
  )
  const profileFeed = await position(
    pool,
    `select rank::text as value, id from media where creator_id = '${creatorId}' and deleted_at is null
       and not direct_only order by rank desc, id desc offset ${PAGE_1000 - 1} limit 1`,
  )
  const profile = `creatorId=${creatorId}`
  add('profile, first page', `/profile?${profile}`, `/media/profile?${profile}`)
  add(
    'profile, page 1,000',
    `/profile?${profile}&rank=${profileFeed.value}&id=${profileFeed.id}`,
    `/media/profile?${profile}&cursor=${profileFeed.cursor}`,
  )
  const bought = await position(
    pool,
    `select ${moment('granted_at')} as value, media_id as id from entitlement_media
     where user_id = '${fanId}' order by granted_at desc, media_id desc offset ${LATE_PAGE - 1} limit 1`,
  )
  // Purchases are sorted by two times, which are equal here.
  const owned = { ...bought, cursor: cursorOf(bought.value, bought.value, bought.id) }
  const content = `userId=${fanId}`
  add('your content, first page', `/content?${content}`, `/users/premiumcontent?${content}`)
  add(
    'your content, page 301',
    `/content?${content}&time=${encodeURIComponent(owned.value)}&id=${owned.id}`,
    `/users/premiumcontent?${content}&cursor=${owned.cursor}`,
  )
  for (const words of ['bababa dodoba', 'summer', 'summer bababa'])
    add(
      `search “${words}”`,
      `/search?words=${encodeURIComponent(words)}`,
      `/media/search?query=${encodeURIComponent(words)}`,
    )
  return lists
}

const moment = (time: string) => `${time}::text`

function discoverPosition(pool: pg.Pool, tagIds: string[]): Promise<Position> {
  const source = tagIds.length
    ? `select distinct created_at, media_id as id from media_tags where tag_id in ('${tagIds.join("','")}') and discoverable`
    : `select created_at, id from media where deleted_at is null and show_in_search and not must_unlock and not direct_only`
  return position(
    pool,
    `select ${moment('created_at')} as value, id from (${source}) as found
     order by created_at desc, id desc offset ${PAGE_1000 - 1} limit 1`,
  )
}

async function position(pool: pg.Pool, text: string): Promise<Position> {
  const { rows } = await pool.query<{ value: string; id: string }>(text)
  const row = rows[0]
  if (!row) throw new Error('there are too few rows')
  return { cursor: cursorOf(row.value, row.id), value: row.value, id: row.id }
}

const cursorOf = (...parts: string[]) => Buffer.from(parts.join('|'), 'latin1').toString('base64url')

async function column(pool: pg.Pool, text: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(text)
  return rows.map(({ id }) => id)
}
