import { formatMoney } from '../../../../contract/money.ts'
import type { Handlers } from '../../../handler.ts'
import { eachTransaction } from '../ledger/data.ts'
import { presentParty } from '../present.ts'
import { bestFans, bestItems, sumBySource, sumOfSubreddits } from './data.ts'
import { presentFile, presentSums } from './present.ts'

export const earningsHandlers = {
  async earningsBreakdown({ db, viewer, query }) {
    const [sources, subreddits, items, fans] = await Promise.all([
      sumBySource(db, viewer.id, query),
      sumOfSubreddits(db, viewer.id, query),
      bestItems(db, viewer.id, query),
      bestFans(db, viewer.id, query),
    ])
    const shares = { ...subreddits, source: 'subreddit' as const, gross: subreddits.share, fee: 0 }
    const earned =
      shares.sales > 0 ? [...sources, shares].sort((one, other) => other.share - one.share) : sources
    return {
      sources: earned.map((row) => ({ ...presentSums(row), source: row.source, fee: formatMoney(row.fee) })),
      items: items.map((row) => ({
        ...presentSums(row),
        ...{ _id: row.key, kind: row.kind, title: row.title },
      })),
      fans: fans.map((row) => ({
        ...presentSums(row),
        fan: presentParty(row.id, row.username, row),
      })),
    }
  },
  async transactionsFile({ context, db, viewer, query }) {
    const range = [query.from, query.to].filter(Boolean).join('-to-')
    const seen = { viewerId: viewer.id, brand: context.config.BRAND_NAME }
    return {
      name: `transactions${range && `-${range}`}.csv`,
      body: presentFile(eachTransaction(db, viewer.id, query), seen),
    }
  },
} satisfies Partial<Handlers>
