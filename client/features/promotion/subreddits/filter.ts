/**
 * The filters and the order of the table of subreddits; they are in the address, so that going back restores them.
 */
export type SubredditFilter = {
  search: string
  srTagIds: readonly string[]
  verificationSetting: 'required' | 'other' | 'unset' | 'unknown' | null
  sellingAccountsAllowed: 'true' | 'false' | null
  ocSettings: 'none' | 'ocOnly' | 'noOc' | null
  boyAndGirlRequired: 'true' | 'false' | null
  couplesOnly: 'true' | 'false' | null
  malesAllowed: 'true' | 'false' | 'unknown' | null
  womenOnly: 'true' | 'false' | 'unknown' | null
  /** `all` is no filter, and stands in no address. */
  categorized: 'yes' | 'no' | null
  sortBy: 'subscribers' | 'name'
}

const YES_OR_NO = ['true', 'false'] as const
const ANSWERS = ['true', 'false', 'unknown'] as const

/** The filters of one answer each, with their answers. */
export const CHOICES = {
  verificationSetting: ['required', 'other', 'unset', 'unknown'],
  sellingAccountsAllowed: YES_OR_NO,
  ocSettings: ['none', 'ocOnly', 'noOc'],
  boyAndGirlRequired: YES_OR_NO,
  couplesOnly: YES_OR_NO,
  malesAllowed: ANSWERS,
  womenOnly: ANSWERS,
  categorized: ['yes', 'no'],
} as const
export type ChoiceName = keyof typeof CHOICES
/** In the order in which they are shown. */
export const CHOICE_NAMES = [
  'verificationSetting',
  'categorized',
  'sellingAccountsAllowed',
  'ocSettings',
  'malesAllowed',
  'womenOnly',
  'couplesOnly',
  'boyAndGirlRequired',
] as const satisfies readonly ChoiceName[]

/** Most tags of one filter, and most characters of a search, that the server takes. */
export const MAX_FILTER_TAGS = 30
export const MAX_SEARCH = 60

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The filter of an address; what the server would refuse counts as absent. */
export function filterOf(address: URLSearchParams): SubredditFilter {
  const known = <Answer extends string>(answers: readonly Answer[], name: ChoiceName) =>
    answers.find((answer) => answer === address.get(name)) ?? null
  return {
    search: (address.get('search') ?? '')
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_SEARCH),
    srTagIds: [...new Set(address.getAll('srTagIds').filter((id) => ID.test(id)))].slice(0, MAX_FILTER_TAGS),
    verificationSetting: known(CHOICES.verificationSetting, 'verificationSetting'),
    sellingAccountsAllowed: known(CHOICES.sellingAccountsAllowed, 'sellingAccountsAllowed'),
    ocSettings: known(CHOICES.ocSettings, 'ocSettings'),
    boyAndGirlRequired: known(CHOICES.boyAndGirlRequired, 'boyAndGirlRequired'),
    couplesOnly: known(CHOICES.couplesOnly, 'couplesOnly'),
    malesAllowed: known(CHOICES.malesAllowed, 'malesAllowed'),
    womenOnly: known(CHOICES.womenOnly, 'womenOnly'),
    categorized: known(CHOICES.categorized, 'categorized'),
    sortBy: address.get('sortBy') === 'name' ? 'name' : 'subscribers',
  }
}

/** The filter as an address has it; empty when nothing is narrowed and the order is the usual one. */
export function addressOf(filter: SubredditFilter): URLSearchParams {
  const address = new URLSearchParams()
  if (filter.search) address.set('search', filter.search)
  for (const id of filter.srTagIds) address.append('srTagIds', id)
  for (const name of CHOICE_NAMES) {
    const answer = filter[name]
    if (answer) address.set(name, answer)
  }
  if (filter.sortBy === 'name') address.set('sortBy', 'name')
  return address
}

/** How many filters beside the search narrow the table. */
export function activeCount(filter: SubredditFilter): number {
  return filter.srTagIds.length + CHOICE_NAMES.filter((name) => filter[name] !== null).length
}
