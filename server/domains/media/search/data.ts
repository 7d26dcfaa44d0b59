import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, rowsFor, skipOf } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Audience } from '../../../viewer.ts'
import { reachable } from '../../profiles/data.ts'
import { cheapestMonthCents, mediaFor, released } from '../data.ts'
import type { TagRow } from '../tags/data.ts'
import type { WantedWord } from './words/data.ts'

/** Of words that are rarer than this every document is ranked; of commoner ones the newest. */
const RARE = 5000
/** How far back the newest documents with common words are looked for, how many are ranked, and how few are too few. */
const NEWEST_LOOKED_AT = 20_000
const NEWEST_RANKED = 500
const FEW = 100
const MAX_CREATORS = 12
const MAX_TAGS = 10
/** Weights of a word in description, creator's name, tags and title. */
const WEIGHTS = sql`'{0.1, 0.4, 0.6, 1}'::real[]`

/**
 * One row more than the page of items that have all these words, the best first. What it costs is bounded however many
 * items have the words: at most `RARE` of them are ranked.
 */
export function searchItems(
  db: Db,
  audience: Audience,
  request: { words: WantedWord[]; page: PageRequest; now: Date },
) {
  const { words, page, now } = request
  const query = queryOf(words)
  const rare = Math.min(...words.map(({ uses }) => uses)) <= RARE
  const ranked = sql<{ media_id: string }>`(
    select * from (
      select media_id, created_at, ts_rank(${WEIGHTS}, document, ${query}) as score
      from (${rare ? withRareWords(query) : withCommonWords(query)}) as having_them
    ) as scored
    where ${further(page.cursor)}
    order by score desc, created_at desc, media_id desc offset 0
  )`.as<'found'>('found')
  const position = sql<string>`found.score || '|' || ${positionOf(sql.ref('found.created_at'), sql.ref('found.media_id'))}`
  return (
    mediaFor(db, audience, now)
      .innerJoin(ranked, 'found.media_id', 'media.id')
      .select(position.as('position'))
      .select(
        sql<string | null>`(select profile_image from profiles where user_id = creator.id)`.as(
          'profile_image',
        ),
      )
      .where(sql<boolean>`(media.deleted_at is null and ${released} and media.show_in_search
        and not media.direct_only and media.published)`)
      .where('creator.hidden_at', 'is', null)
      .where(reachable(audience))
      .orderBy(sql`found.score`, 'desc')
      .orderBy(sql`found.created_at`, 'desc')
      .orderBy(sql`found.media_id`, 'desc')
      // A literal, so that the one plan of the prepared statement is made for few rows.
      .limit(sql.lit(rowsFor(page)))
      .$if(skipOf(page) > 0, (rest) => rest.offset(skipOf(page)))
      .execute()
  )
}

function queryOf(words: WantedWord[]): RawBuilder<unknown> {
  const quoted = (word: string) => `'${word.replace(/['\\]/g, '$&$&')}'`
  return sql`${words.map(({ anyOf }) => `(${anyOf.map(quoted).join(' | ')})`).join(' & ')}::tsquery`
}

function withRareWords(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select media_id, created_at, document from media_search where document @@ ${query} limit ${sql.lit(RARE)}`
}

/** The newest, read in their order; where the words hardly ever meet, whatever the index finds. */
function withCommonWords(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with recent as materialized (
      select * from (
        select media_id, created_at, document from media_search
        order by created_at desc, media_id desc limit ${sql.lit(NEWEST_LOOKED_AT)}
      ) as newest
      where document @@ ${query} limit ${sql.lit(NEWEST_RANKED)}
    )
    select * from recent union all (
      select media_id, created_at, document from media_search
      where (select count(*) from recent) < ${sql.lit(FEW)} and document @@ ${query}
        and media_id not in (select media_id from recent)
      limit ${sql.lit(RARE)}
    )`
}

/** Behind the score, time and id that a cursor names; throws `bad_cursor`. */
function further(cursor: string | undefined): RawBuilder<unknown> {
  if (cursor === undefined) return sql`true`
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, score, rest] = /^(\d{1,3}(?:\.\d{1,20})?(?:e-\d{1,2})?)\|(.+)$/.exec(text) ?? []
  if (!score || !rest) throw new AppError('bad_cursor')
  const behind = after(
    Buffer.from(rest, 'latin1').toString('base64url'),
    sql<Date>`created_at`,
    sql<string>`media_id`,
  )
  return sql`(score < ${score}::real or (score = ${score}::real and ${behind}))`
}

/** Creators whose names have all these words, who goes by exactly what was typed first. */
export async function searchCreators(
  db: Db,
  audience: Audience,
  { words, typed }: { words: WantedWord[]; typed: string },
) {
  const query = queryOf(words)
  return db
    .selectFrom(
      sql<{ creator_id: string; score: number }>`(
        select creator_id, ts_rank(document, ${query}) as score
        from creator_search where document @@ ${query} limit ${sql.lit(RARE)}
      )`.as('found'),
    )
    .innerJoin('users as creator', 'creator.id', 'found.creator_id')
    .leftJoin('profiles', 'profiles.user_id', 'creator.id')
    .select(['creator.id', 'creator.username', 'profiles.profile_image', cheapestMonthCents])
    .where('creator.hidden_at', 'is', null)
    .where(reachable(audience))
    .orderBy(sql`lower(creator.username) = lower(${typed})`, 'desc')
    .orderBy('found.score', 'desc')
    .orderBy('creator.username')
    .limit(sql.lit(MAX_CREATORS))
    .execute()
}

/** Tags whose names have any of these words, the most used first. */
export function searchTags(db: Db, words: string[]): Promise<TagRow[]> {
  return db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where((eb) =>
      eb.or(words.map((word) => eb(sql`lower(name)`, 'like', `%${word.replace(/[\\%_]/g, '\\$&')}%`))),
    )
    .orderBy('uses', 'desc')
    .orderBy('id')
    .limit(sql.lit(MAX_TAGS))
    .execute()
}
