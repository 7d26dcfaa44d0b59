import type { Input } from '../../../../contract/route.ts'
import type { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import type { ContractFormState } from '../../../ui/forms/ContractForm.tsx'
import { changesOf } from '../parts/edited.ts'
import type { Subreddit } from './api.ts'
import { subredditTexts as texts } from './texts.ts'

type Body = Input<typeof subredditRoutes.editSubreddit>['body']
type Unit = NonNullable<Subreddit['postFrequency']>['intervalUnit']

/** The form's values for a subreddit: numbers as typed, each empty if there is none. */
export type SubredditValues = Pick<
  Subreddit,
  | 'verificationType'
  | 'notes'
  | 'categorized'
  | 'sellingAccountsAllowed'
  | 'ocSettings'
  | 'boyAndGirlRequired'
  | 'couplesOnly'
  | 'malesAllowed'
  | 'womenOnly'
  | 'toysAllowed'
  | 'sexActsAllowed'
  | 'watermarkType'
  | 'faceRequired'
> & {
  srTagIds: string[]
  pfMaxPosts: string
  pfIntervalAmount: string
  pfIntervalUnit: Unit | ''
  rpfMaxPosts: string
  rpfIntervalAmount: string
  rpfIntervalUnit: Unit | ''
}

export type SubredditFormState = ContractFormState<SubredditValues, Subreddit>

/** The two limits, by the beginning of their fields’ names: of posts, and of reposts. */
export const LIMITS = ['pf', 'rpf'] as const
export type Limit = (typeof LIMITS)[number]

/** The form's first values; null for a subreddit that isn’t tracked. */
export function valuesOf(subreddit: Subreddit | null): SubredditValues {
  const [post, repost] = [subreddit?.postFrequency, subreddit?.repostFrequency]
  return {
    verificationType: subreddit?.verificationType ?? 'unset',
    notes: subreddit?.notes ?? '',
    categorized: subreddit?.categorized ?? false,
    sellingAccountsAllowed: subreddit?.sellingAccountsAllowed ?? false,
    ocSettings: subreddit?.ocSettings ?? 'none',
    boyAndGirlRequired: subreddit?.boyAndGirlRequired ?? false,
    couplesOnly: subreddit?.couplesOnly ?? false,
    malesAllowed: subreddit?.malesAllowed ?? 'unknown',
    womenOnly: subreddit?.womenOnly ?? 'unknown',
    toysAllowed: subreddit?.toysAllowed ?? false,
    sexActsAllowed: subreddit?.sexActsAllowed ?? false,
    watermarkType: subreddit?.watermarkType ?? 'unknown',
    faceRequired: subreddit?.faceRequired ?? false,
    srTagIds: [...(subreddit?.srTagIds ?? [])],
    pfMaxPosts: String(post?.maxPosts ?? ''),
    pfIntervalAmount: String(post?.intervalAmount ?? ''),
    pfIntervalUnit: post?.intervalUnit ?? '',
    rpfMaxPosts: String(repost?.maxPosts ?? ''),
    rpfIntervalAmount: String(repost?.intervalAmount ?? ''),
    rpfIntervalUnit: repost?.intervalUnit ?? '',
  }
}

/**
 * What differs from what is kept: sent alone, it takes back nothing that another operator saved meanwhile. A limit goes
 * as a whole; half of one is sent as it is, and refused by the contract.
 */
export function bodyOf(srName: string, values: SubredditValues, kept: SubredditValues): Body {
  const {
    pfMaxPosts,
    pfIntervalAmount,
    pfIntervalUnit,
    rpfMaxPosts,
    rpfIntervalAmount,
    rpfIntervalUnit,
    ...rest
  } = values
  const changes = changesOf(values, kept)
  const differs = (name: keyof SubredditValues) => name in changes
  return {
    srName,
    ...changesOf(rest, kept),
    ...(fieldsOf('pf').some(differs) && {
      pfMaxPosts: numberOf(pfMaxPosts),
      pfIntervalAmount: numberOf(pfIntervalAmount),
      pfIntervalUnit: pfIntervalUnit || null,
    }),
    ...(fieldsOf('rpf').some(differs) && {
      rpfMaxPosts: numberOf(rpfMaxPosts),
      rpfIntervalAmount: numberOf(rpfIntervalAmount),
      rpfIntervalUnit: rpfIntervalUnit || null,
    }),
  }
}

const fieldsOf = (limit: Limit) =>
  [`${limit}MaxPosts`, `${limit}IntervalAmount`, `${limit}IntervalUnit`] as const

/** The error in the limits, at the first wrong field: a number out of range, or only a part filled in. */
export function limitErrors(values: SubredditValues): Record<string, string> {
  const found: Record<string, string> = {}
  for (const limit of LIMITS) {
    const fields = fieldsOf(limit)
    const empty = fields.filter((name) => values[name].trim() === '')
    for (const name of fields.slice(0, 2)) {
      const number = numberOf(values[name])
      if (number !== null && !(Number.isInteger(number) && number >= 1 && number <= 1000))
        found[name] = texts.number
    }
    const [first] = empty
    if (first && empty.length < fields.length) found[first] = texts.incomplete
  }
  return found
}

/** An empty field is no number. */
function numberOf(typed: string): number | null {
  return typed.trim() === '' ? null : Number(typed)
}
