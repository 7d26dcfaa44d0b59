import type { SubredditSort } from '../parts/SubredditTable.tsx'
import { CHOICES } from '../subreddits/filter.ts'

/** The filters by a subreddit’s rules, in the order in which they are shown. */
export const RULES = [
  'sellingAccountsAllowed',
  'ocSettings',
  'malesAllowed',
  'womenOnly',
  'couplesOnly',
  'boyAndGirlRequired',
] as const
export type RuleFilters = { [Rule in (typeof RULES)[number]]?: (typeof CHOICES)[Rule][number] | undefined }

/** The filters of the table of tracked subreddits; they are in the address. */
export type PickerFilter = {
  /** Among which subreddits. */
  among: 'tracked' | 'all'
  search: string
  status: 'todo' | 'pending' | 'done' | 'none' | null
  verification: 'required' | 'other' | 'unset' | 'unknown' | null
  rules: RuleFilters
  withTags: readonly string[]
  withoutTags: readonly string[]
  withoutLists: readonly string[]
  sortBy: SubredditSort
}

/** The filter as fields show and change it. */
export type PickerFiltersProps = {
  filter: PickerFilter
  /** Takes what changes of it. `replace`: going back skips the filter that was there before. */
  onChange: (change: Partial<PickerFilter>, options?: { replace?: boolean }) => void
}

export const STATUSES = ['none', 'todo', 'pending', 'done'] as const
export const VERIFICATIONS = ['required', 'other', 'unset', 'unknown'] as const
export const MAX_SEARCH = 60
const MAX_IDS = 30
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The filter of an address; what the server would refuse counts as absent. */
export function filterOf(address: URLSearchParams): PickerFilter {
  const ids = (name: string) =>
    [...new Set(address.getAll(name).filter((id) => ID.test(id)))].slice(0, MAX_IDS)
  return {
    among: address.get('in') === 'all' ? 'all' : 'tracked',
    search: (address.get('search') ?? '')
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_SEARCH),
    status: STATUSES.find((one) => one === address.get('status')) ?? null,
    verification: VERIFICATIONS.find((one) => one === address.get('verification')) ?? null,
    rules: Object.fromEntries(
      RULES.flatMap((rule) => {
        const answer = CHOICES[rule].find((one) => one === address.get(rule))
        return answer ? [[rule, answer]] : []
      }),
    ),
    withTags: ids('tag'),
    withoutTags: ids('not'),
    withoutLists: ids('list'),
    sortBy: address.get('sortBy') === 'name' ? 'name' : 'subscribers',
  }
}

/** The filter as an address has it. */
export function addressOf(filter: PickerFilter): URLSearchParams {
  const address = new URLSearchParams()
  if (filter.among === 'all') address.set('in', 'all')
  if (filter.search) address.set('search', filter.search)
  if (filter.status) address.set('status', filter.status)
  if (filter.verification) address.set('verification', filter.verification)
  for (const rule of RULES) {
    const answer = filter.rules[rule]
    if (answer) address.set(rule, answer)
  }
  for (const id of filter.withTags) address.append('tag', id)
  for (const id of filter.withoutTags) address.append('not', id)
  for (const id of filter.withoutLists) address.append('list', id)
  if (filter.sortBy === 'name') address.set('sortBy', 'name')
  return address
}

/** How many filters beside search and status narrow the table. */
export function activeCount(filter: PickerFilter): number {
  const { verification, rules, withTags, withoutTags, withoutLists } = filter
  const ruled = RULES.filter((rule) => rules[rule] !== undefined).length
  return (verification ? 1 : 0) + ruled + withTags.length + withoutTags.length + withoutLists.length
}

/** The filter after a press on a tag: required, then left out, then neither. */
export function withTagTurned(
  { withTags, withoutTags }: Pick<PickerFilter, 'withTags' | 'withoutTags'>,
  id: string,
): Pick<PickerFilter, 'withTags' | 'withoutTags'> {
  const without = (ids: readonly string[]) => ids.filter((one) => one !== id)
  if (withTags.includes(id)) return { withTags: without(withTags), withoutTags: [...withoutTags, id] }
  if (withoutTags.includes(id)) return { withTags, withoutTags: without(withoutTags) }
  return { withTags: [...withTags, id], withoutTags }
}
