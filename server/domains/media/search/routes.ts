import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { linksFor, portraitOf, presentCreatorInList, presentFeedItem, presentTag } from '../present.ts'
import { searchCreators, searchItems, searchTags } from './data.ts'
import { findWords } from './words/data.ts'

export const searchHandlers = {
  async search({ context, db, audience, companion, query, now }) {
    const { words, corrected } = await findWords(db, query.query)
    const searched = corrected ?? query.query
    const firstPage = query.cursor === undefined && !query.skip
    const rows = words.length > 0 ? await searchItems(db, audience, { words, page: query, now }) : []
    const creators =
      firstPage && words.length > 0 ? await searchCreators(db, audience, { words, typed: searched }) : []
    const tags = firstPage ? await searchTags(db, searched.toLowerCase().split(/\s+/)) : []
    const links = linksFor(context.signer, companion, now)
    return {
      creators: creators.map(presentCreatorInList),
      tags: tags.map(presentTag),
      ...toPage(rows, query, (row) => ({ ...presentFeedItem(row, links), ...portraitOf(row) })),
      corrected,
    }
  },
} satisfies Partial<Handlers>
