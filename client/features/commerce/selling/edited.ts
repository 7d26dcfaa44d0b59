import type { Includes } from '../../../../contract/subscriptions.ts'
import type { Term } from './TermsField.tsx'

/** What the editor of a subscription or a bundle holds. */
export type Edited = {
  title: string
  description: string
  coverMediaId: string | null
  price: string
  chatEnabled: boolean
  /** Of a bundle: who has some of it pays for the rest alone. */
  lessOwned: boolean
  includes: Includes
  /** Current subscribers are asked for the new price, too. */
  askSubscribers: boolean
  terms: Term[]
  mediaIds: string[]
  excludedMediaIds: string[]
}

/** What is changed of it; what is undefined stays. */
export type Change = { [Name in keyof Edited]?: Edited[Name] | undefined }

const PLAIN_FIELDS = [
  'title',
  'description',
  'coverMediaId',
  'price',
  'chatEnabled',
  'lessOwned',
  'includes',
  'askSubscribers',
] as const satisfies readonly (keyof Edited)[]

/** What differs from what is saved: sent alone, it takes back nothing that was saved elsewhere meanwhile. */
export function changeOf(now: Edited, saved: Edited): Change {
  const changed = PLAIN_FIELDS.filter((name) => now[name] !== saved[name]).map((name) => [name, now[name]])
  const items = now.includes === 'chosen' ? 'mediaIds' : 'excludedMediaIds'
  return {
    ...Object.fromEntries(changed),
    ...(sameTerms(now, saved) ? {} : { terms: now.terms }),
    // With what they are of, as another tab may have changed that.
    ...(now.includes === saved.includes && sameItems(now, saved)
      ? {}
      : { includes: now.includes, [items]: now[items] }),
  }
}

/** The same in all that counts; of chosen media their order does. */
export function same(one: Edited, other: Edited): boolean {
  return (
    PLAIN_FIELDS.every((name) => one[name] === other[name]) && sameTerms(one, other) && sameItems(one, other)
  )
}

const sameTerms = (one: Edited, other: Edited) => JSON.stringify(one.terms) === JSON.stringify(other.terms)

const sameItems = (one: Edited, other: Edited) =>
  one.includes === 'chosen'
    ? sameIds(one.mediaIds, other.mediaIds)
    : sameIds(one.excludedMediaIds.toSorted(), other.excludedMediaIds.toSorted())

const sameIds = (one: string[], other: string[]) =>
  one.length === other.length && one.every((id, index) => id === other[index])
