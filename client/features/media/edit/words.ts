import type { Flags } from '../../../../contract/visibility.ts'
import { FLAG_NAMES } from '../../../../contract/visibility.ts'
import { editTexts as texts } from './texts.ts'

/** The audience of an item with these flags, in one sentence. */
export function audienceOf({ showInSearch, mustUnlock, showInStore, directOnly }: Flags): string {
  if (directOnly) return texts.audience.direct
  if (mustUnlock) {
    const sold = showInStore ? texts.audience.single : texts.audience.locked
    return showInSearch ? texts.audience.blurred(sold) : `${sold}.`
  }
  return showInSearch ? texts.audience.everyone : texts.audience.link
}

/** The same in one or two words, for a card. */
export function badgeOf({ mustUnlock, showInStore, directOnly, showInSearch }: Flags): string {
  if (directOnly) return texts.badges.direct
  if (showInStore) return texts.badges.store
  if (mustUnlock) return texts.badges.locked
  return showInSearch ? texts.badges.public : texts.badges.link
}

/** The other flags that moved with one: `Also turned off: Must be unlocked.`; null if none did. */
export function alsoTurned(before: Flags, after: Flags, turned: keyof Flags): string | null {
  const moved = FLAG_NAMES.filter((name) => name !== turned && before[name] !== after[name])
  const listed = (on: boolean) =>
    moved.filter((name) => after[name] === on).map((name) => texts.flags[name].label)
  const parts = [
    ...(listed(true).length > 0 ? [texts.alsoOn(listed(true).join(', '))] : []),
    ...(listed(false).length > 0 ? [texts.alsoOff(listed(false).join(', '))] : []),
  ]
  return parts.length > 0 ? parts.join(' ') : null
}

/** The common ways to show a new upload, each as one choice. */
export const AUDIENCES = [
  { value: 'locked', label: texts.audiences.locked, flags: { mustUnlock: true } },
  {
    value: 'single',
    label: texts.audiences.single,
    flags: { mustUnlock: true, showInStore: true, showInSearch: true },
  },
  { value: 'public', label: texts.audiences.public, flags: { showInSearch: true } },
  { value: 'private', label: texts.audiences.private, flags: { directOnly: true } },
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
