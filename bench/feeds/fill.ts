import type pg from 'pg'
import { MAX_MEDIA_SELECTED } from '../../contract/constants.ts'

const ITEMS = Number(process.env.BENCH_ITEMS ?? 1_000_000)
const CREATORS = Math.min(20_000, ITEMS / 50)
const TAGS = 5_000
/** One fan's purchases, an item at a time. */
const BOUGHT = 5_000

/** Syllables of made-up words, so that titles have words as rare and as common as those of a language. */
const SYLLABLES =
  'ba be bi bo da de do fa fi go ka ke la le li lo ma me mi mo na ne no pa ra re ro sa se so ta te ti to va'

const TABLES = ['media', 'media_tags', 'media_search', 'creator_search', 'search_words']

/**
 * Fills an empty database: a million items by 20,000 creators with 5,000 tags, three of which 200,000 items have, half
 * of the items free in discover, the word `summer` in half of the titles. What triggers keep is written at once.
 */
export async function fill(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await client.query('set local session_replication_role = replica')
    const indexes = await dropIndexes(client)
    await fillPeople(client)
    await fillTags(client)
    await fillMedia(client)
    await fillVersions(client)
    await fillSearch(client)
    await fillPurchases(client)
    await fillPlan(client)
    for (const definition of indexes) await client.query(definition)
    await client.query('commit')
    await client.query('vacuum analyze')
  } finally {
    client.release()
  }
}

/** Drops indexes and constraints that are quicker to rebuild than to maintain; returns how. */
async function dropIndexes(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid::regclass::text = any($1) and not indisunique`,
    [TABLES],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

async function fillPeople(client: pg.PoolClient): Promise<void> {
  await client.query(
    `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, email_verified_at, created_at)
     select 'c' || n || '@example.test', 'creator' || n, 'Creator', 'creator' || n, 'x', n > 0, 'c' || n, now(), now()
     from generate_series(0, $1::int) n`,
    [CREATORS],
  )
  await client.query('insert into profiles (user_id) select id from users')
}

async function fillTags(client: pg.PoolClient): Promise<void> {
  await client.query(
    `insert into tags (name, created_at)
     select 'tag ' || n, now() from generate_series(1, $1::int - (select count(*)::int from tags)) n`,
    [TAGS],
  )
}

/** Words of a title or description: the smaller the random number, the more common the word. */
const WORDS = `(select string_agg(syllable[1 + word % 35] || syllable[1 + word / 35 % 35] || syllable[1 + word / 1225 % 35], ' ')
  from (select (42874 * random() ^ 4)::int as word from generate_series(1, how_many + 0 * n)) as picked)`

async function fillMedia(client: pg.PoolClient): Promise<void> {
  await client.query(`
    create temporary table tag_list on commit drop as
    select array_agg(id order by id) as ids from tags`)
  await client.query(
    `insert into media (creator_id, type, title, description, price_cents, width, height, thumbhash, variants, bytes, tag_ids, must_unlock, show_in_search, published, popularity, created_at, rank, storage_id, version_id, versioned_at)
     select c.id, 'image',
       ${WORDS.replace('how_many', '5')} || case when n % 2 = 0 then ' Summer' else '' end,
       ${WORDS.replace('how_many', '15')},
       400, 1080, 1350, '1QcSHQRnh493V4dIh4eXh1h4kJUI',
       '[{"name":"w320.webp","mime":"image/webp","width":320,"height":400,"bytes":20000},{"name":"w640.webp","mime":"image/webp","width":640,"height":800,"bytes":60000},{"name":"w1080.webp","mime":"image/webp","width":1080,"height":1350,"bytes":120000}]'::jsonb,
       200000,
       array(select distinct ids[at] from tag_list, lateral (
         select 1 + n % 5 union select 6 + (4990 * random() ^ 3 + 0 * n)::int union select 6 + (4990 * random() ^ 2 + 0 * n)::int
       ) as carried (at) where at <> 4 and at <> 5),
       n % 20 >= 10, true, true, round(10 * ln((1 + n % 997)::float8 / (1 + n % 50))), now() - make_interval(secs => n), extract(epoch from now() - make_interval(secs => n)), uuidv7(), uuidv7(), now()
     from generate_series(1, $1::int) n
     cross join (select string_to_array($2, ' ') as syllable) as speech
     join (select id, row_number() over (order by id) as r from users where is_creator) c
       on c.r = case when n % 50 = 0 then 1 else 1 + n % $3::int end`,
    [ITEMS, SYLLABLES, CREATORS],
  )
}

async function fillVersions(client: pg.PoolClient): Promise<void> {
  await client.query(`
    insert into media_versions (id, media_id, storage_id, type, red_gif, duration_seconds, width, height, thumbhash, variants, bytes, created_at)
    select version_id, id, storage_id, type, red_gif, duration_seconds, width, height, thumbhash, variants, bytes, created_at
    from media where not exists (select from media_versions where id = version_id)`)
}

async function fillSearch(client: pg.PoolClient): Promise<void> {
  await client.query(`
    insert into media_tags (media_id, tag_id, creator_id, created_at, type, popularity, discoverable)
    select media.id, tag_id, creator_id, created_at, type, popularity, show_in_search and not must_unlock and not direct_only
    from media, unnest(tag_ids) as tag_id`)
  await client.query(`
    insert into creator_search (creator_id, document) select id, creator_document(users) from users where is_creator`)
  await client.query(`
    insert into media_search (media_id, creator_id, created_at, document)
    select id, creator_id, created_at, media_document(media) from media where show_in_search`)
  await client.query(`
    insert into search_words (word, uses)
    select word, ndoc from ts_stat('select document from media_search union all select document from creator_search')
    where length(word) <= 40`)
  await client.query(`
    update tags set uses = counted.uses
    from (select tag_id, count(*) as uses from media_tags where discoverable group by tag_id) as counted where id = tag_id`)
}

/** A subscription with as many items as it may hold, the newest of the creator who has most. */
async function fillPlan(client: pg.PoolClient): Promise<void> {
  await client.query(
    `with plan as (
       insert into subscription_plans (creator_id, title, price_cents, created_at)
       select creator_id, 'Everything', 999, now() from media group by creator_id order by count(*) desc limit 1
       returning id, creator_id
     )
     insert into subscription_plan_media (plan_id, media_id, media_created_at, position)
     select plan.id, media.id, media.created_at, row_number() over (order by media.id desc) - 1
     from plan join media using (creator_id) order by media.id desc limit $1`,
    [MAX_MEDIA_SELECTED],
  )
}

async function fillPurchases(client: pg.PoolClient): Promise<void> {
  await client.query(
    `with bought as (
       select users.id as user_id, media.id as media_id, media.creator_id, media.version_id, uuidv7() as entitlement_id, now() - make_interval(mins => n::int) as at
       from users, (select id, creator_id, version_id, row_number() over (order by id) as n from media limit $1) as media where username = 'creator0'
     ), granted as (
       insert into entitlements (id, user_id, source_kind, source_id, granted_at)
       select entitlement_id, user_id, 'manual', entitlement_id, at from bought
     )
     insert into entitlement_media (user_id, media_id, creator_id, version_id, entitlement_id, granted_at)
     select user_id, media_id, creator_id, version_id, entitlement_id, at from bought`,
    [BOUGHT],
  )
}
