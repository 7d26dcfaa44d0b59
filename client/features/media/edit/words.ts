import type { Flags } from '../../../../contract/visibility.ts'
import { FLAG_NAMES } from '../../../../contract/visibility.ts'
import { formatNumber } from '../../../ui/format.ts'

/** What each flag is called and does, for its owner (docs/product.md, Media). */
export const FLAG_WORDS: Record<keyof Flags, { label: string; description: string }> = {
  showInSearch: {
    label: 'Show in search',
    description: 'People find it in Discover and on your profile. What is locked shows as a blurred preview.',
  },
  redditPromotion: {
    label: 'Forum promotion',
    description: 'Free for everybody, so that you can post it to the forum.',
  },
  mustUnlock: {
    label: 'Must be unlocked',
    description: 'Only people who bought it, or subscribe to something that holds it, can see it.',
  },
  showInStore: {
    label: 'Show in store',
    description: 'Sold by itself, at the price above, under Singles on your profile.',
  },
  directOnly: {
    label: 'Private (send via chat)',
    description: 'Nobody sees it until you send it to them in a chat.',
  },
}

/** Who can see an item with these flags, in one sentence. */
export function audienceOf({ showInSearch, mustUnlock, showInStore, directOnly }: Flags): string {
  if (directOnly) return 'Only you, and people you send it to in a chat.'
  if (mustUnlock) {
    const sold = showInStore
      ? 'People who buy it, by itself or with a subscription or bundle'
      : 'People who get it with a subscription or bundle'
    return showInSearch ? `${sold}. Everybody else finds a blurred preview.` : `${sold}.`
  }
  return showInSearch ? 'Everybody, and it can be found in Discover.' : 'Anyone with the link.'
}

/** The same in one or two words, for a card. */
export function badgeOf({ mustUnlock, showInStore, directOnly, showInSearch }: Flags): string {
  if (directOnly) return 'Private'
  if (showInStore) return 'In store'
  if (mustUnlock) return 'Locked'
  return showInSearch ? 'Public' : 'Link only'
}

/** What else moved when one flag was turned: `Also turned off: Must be unlocked.`; null when nothing did. */
export function alsoTurned(before: Flags, after: Flags, turned: keyof Flags): string | null {
  const moved = FLAG_NAMES.filter((name) => name !== turned && before[name] !== after[name])
  const listed = (on: boolean) =>
    moved.filter((name) => after[name] === on).map((name) => FLAG_WORDS[name].label)
  const parts = [
    ...(listed(true).length > 0 ? [`Also turned on: ${listed(true).join(', ')}.`] : []),
    ...(listed(false).length > 0 ? [`Also turned off: ${listed(false).join(', ')}.`] : []),
  ]
  return parts.length > 0 ? parts.join(' ') : null
}

/** What another file in an item’s place means for those who bought it. */
export function buyersOf(count: number): string {
  if (count === 0) return 'Nobody has bought it yet.'
  return count === 1
    ? '1 person bought it. They keep the old file and can see the new one too.'
    : `${formatNumber(count)} people bought it. They keep the old file and can see the new one too.`
}

/** The common ways to show a new upload, each as one choice. */
export const AUDIENCES = [
  { value: 'locked', label: 'Locked, for subscriptions and bundles', flags: { mustUnlock: true } },
  {
    value: 'single',
    label: 'For sale as a single',
    flags: { mustUnlock: true, showInStore: true, showInSearch: true },
  },
  { value: 'public', label: 'Public, free for everybody', flags: { showInSearch: true } },
  { value: 'private', label: 'Private, to send via chat', flags: { directOnly: true } },
] as const satisfies readonly { value: string; label: string; flags: Partial<Flags> }[]

export type Audience = (typeof AUDIENCES)[number]['value']

const ALL_OFF: Flags = {
  showInSearch: false,
  redditPromotion: false,
  mustUnlock: false,
  showInStore: false,
  directOnly: false,
}

/** Which of the common ways these flags are; null when they are set otherwise. */
export function audienceWith(flags: Flags): Audience | null {
  const same = (other: Flags) => FLAG_NAMES.every((name) => flags[name] === other[name])
  return AUDIENCES.find(({ value }) => same(flagsOf(value)))?.value ?? null
}

/** All five flags of one of the common ways. */
export function flagsOf(audience: Audience): Flags {
  return { ...ALL_OFF, ...AUDIENCES.find(({ value }) => value === audience)?.flags }
}
