import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import { type KnownWord, meant, slipsAllowed } from './rules.ts'

/** A word to look for: documents that have any of `anyOf`, of which there are about `uses`. */
export type WantedWord = { anyOf: string[]; uses: number }

/** More words than this narrow nothing down any further. */
const MAX_WORDS = 10
/** How many known words an unfinished one stands for, the most used ones, and how many of its longer forms are looked at. */
const MAX_COMPLETIONS = 20
const MAX_LOOKED_AT = 5000
const MAX_CANDIDATES = 50
/** Behind every letter, in the order of bytes. */
const LAST_LETTER = '\u{10ffff}'

/**
 * Takes what was typed apart into words, forgives typing mistakes, and completes the last word, which may be unfinished.
 * `corrected` is what is searched for when that differs from what was typed. At most four queries.
 */
export async function findWords(
  db: Db,
  typed: string,
): Promise<{ words: WantedWord[]; corrected: string | null }> {
  const { rows: parts } = await sql<{ word: string; uses: number | null }>`
    select lexeme as word, known.uses
    from unnest(to_tsvector('simple', search_text(${typed}))) as part
    left join search_words known on known.word = part.lexeme collate "C"
    order by part.positions[1] limit ${sql.lit(MAX_WORDS)}
  `.execute(db)
  const last = parts.at(-1)
  if (!last) return { words: [], corrected: null }
  const completions = await completionsOf(db, last.word)
  const unknown = parts.filter(
    ({ word, uses }) =>
      uses === null && slipsAllowed(word) > 0 && !(word === last.word && completions.length > 0),
  )
  const corrections = await correct(
    db,
    unknown.map(({ word }) => word),
  )
  const words = parts.map(({ word, uses }): WantedWord => {
    const correction = corrections.get(word)
    if (correction) return { anyOf: [correction.word], uses: correction.uses }
    if (word !== last.word || completions.length === 0) return { anyOf: [word], uses: uses ?? 0 }
    const longer = completions.filter((known) => known.word !== word)
    return {
      anyOf: [word, ...longer.map((known) => known.word)],
      uses: longer.reduce((sum, known) => sum + known.uses, uses ?? 0),
    }
  })
  const text = parts.map(({ word }) => corrections.get(word)?.word ?? word).join(' ')
  return { words, corrected: corrections.size > 0 ? text : null }
}

/** Known words that begin like this one, the most used first. */
async function completionsOf(db: Db, start: string): Promise<KnownWord[]> {
  const letters = [...start].length
  const beginning = sql`left(word, ${sql.lit(letters)}) = ${start}`
  // Short beginnings have an index each, most used first; behind longer ones stand few words.
  const { rows } =
    letters <= 3
      ? await sql<KnownWord>`
          select word, uses from search_words where ${beginning}
          order by uses desc limit ${sql.lit(MAX_COMPLETIONS)}`.execute(db)
      : await sql<KnownWord>`
          select word, uses from (
            select word, uses from search_words
            where word >= ${start} and word < ${start + LAST_LETTER} limit ${sql.lit(MAX_LOOKED_AT)}
          ) as longer
          order by uses desc limit ${sql.lit(MAX_COMPLETIONS)}`.execute(db)
  return rows
}

/** The words that were meant by these, as far as one is near enough. */
async function correct(db: Db, typed: string[]): Promise<Map<string, KnownWord>> {
  if (typed.length === 0) return new Map()
  const found = bestOf(
    await candidates(db, typed, sql`word_slips(word) && word_slips(typed.mistyped)`, sql`uses desc`),
  )
  const open = typed.filter((word) => !found.has(word) && slipsAllowed(word) > 1)
  if (open.length === 0) return found
  const alike = sql`word % typed.mistyped`
  const further = bestOf(
    await candidates(db, open, alike, sql`similarity(word, typed.mistyped) desc, uses desc`),
  )
  return new Map([...found, ...further])
}

type Candidate = KnownWord & { mistyped: string }

async function candidates(
  db: Db,
  typed: string[],
  near: ReturnType<typeof sql>,
  order: ReturnType<typeof sql>,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select typed.mistyped, known.word, known.uses
    from unnest(${typed}::text[]) as typed (mistyped), lateral (
      select word, uses from search_words where ${near} order by ${order} limit ${sql.lit(MAX_CANDIDATES)}
    ) as known
  `.execute(db)
  return rows
}

function bestOf(candidates: Candidate[]): Map<string, KnownWord> {
  const best = new Map<string, KnownWord>()
  for (const [mistyped, known] of Map.groupBy(candidates, (candidate) => candidate.mistyped)) {
    const word = meant(mistyped, known)
    if (word) best.set(mistyped, { word: word.word, uses: word.uses })
  }
  return best
}
