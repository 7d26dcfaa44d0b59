import { type Figures, type PostFigures, totalOf } from '../attribution/rules.ts'

/** As many posts that earned as much as all do are added to those of each subreddit, so that few don’t count like many. */
const ASSUMED_POSTS = 5

/** Cents that the next post is expected to earn, anywhere and by subreddit, and on how many posts that rests. */
export type Expectations = { cents: number; subreddits: { name: string; cents: number; posts: number }[] }

/** Expected earnings of the next post, from those of earlier ones, less by the share of them that were removed. */
export function expectationsOf(posts: readonly PostFigures[]): Expectations {
  const all = totalOf(posts)
  const mean = posts.length === 0 ? 0 : centsOf(all) / posts.length
  const removal = posts.length === 0 ? 0 : all.removed / posts.length
  const expected = (of: Figures) => {
    const count = of.posts + ASSUMED_POSTS
    const kept = 1 - (of.removed + removal * ASSUMED_POSTS) / count
    return Math.round(((centsOf(of) + mean * ASSUMED_POSTS) / count) * kept)
  }
  const bySubreddit = Map.groupBy(posts, ({ subreddit }) => subreddit)
  return {
    cents: Math.round(mean * (1 - removal)),
    subreddits: [...bySubreddit].map(([name, its]) => ({
      name,
      cents: expected(totalOf(its)),
      posts: its.length,
    })),
  }
}

const centsOf = ({ salesCents, renewalsCents }: Figures) => salesCents + renewalsCents
