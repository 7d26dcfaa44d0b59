import { FLAG_NAMES, type Flags, turn } from '../../../../../contract/visibility.ts'

/** Which flags are turned for several items at once; an absent one stays as it is on each of them. */
export type FlagChoices = { [Name in keyof Flags]?: boolean }
type Choice = readonly [name: keyof Flags, on: boolean]

const ALL_OFF: Flags = {
  showInSearch: false,
  redditPromotion: false,
  mustUnlock: false,
  showInStore: false,
  directOnly: false,
}

/** The flags that must move with one flag, whatever an item's other flags are (docs/product.md, Media). */
function followers([name, on]: Choice): FlagChoices {
  const moved: FlagChoices = {}
  for (const other of FLAG_NAMES) {
    if (other === name) continue
    for (const before of [false, true]) {
      const after = turn({ ...ALL_OFF, [other]: before }, name, on)[other]
      if (after !== before) moved[other] = after
    }
  }
  return moved
}

/** Everything that these choices turn, in the order in which they were made. */
export function turned(choices: readonly Choice[]): FlagChoices {
  const result: FlagChoices = {}
  for (const choice of choices) Object.assign(result, followers(choice), { [choice[0]]: choice[1] })
  return result
}

/** The choices after one more; null leaves the flag alone. One that the new choice takes back is dropped with all it moved. */
export function choose(choices: readonly Choice[], name: keyof Flags, on: boolean | null): Choice[] {
  const others = choices.filter(([chosen]) => chosen !== name)
  if (on === null) return others
  const next: Choice[] = [...others, [name, on]]
  const result = turned(next)
  return next.filter(([chosen, wanted]) => result[chosen] === wanted)
}

/** The choices that leave every item with just these flags. */
export function choicesOf(flags: Flags): Choice[] {
  const inOrder = FLAG_NAMES.toSorted((one, other) => Number(flags[one]) - Number(flags[other]))
  return inOrder.reduce<Choice[]>((choices, name) => choose(choices, name, flags[name]), [])
}

/** The flags of one item once the choices are applied. */
export function flagsWith(item: Flags, choices: FlagChoices): Flags {
  const flags = Object.fromEntries(FLAG_NAMES.map((name) => [name, choices[name] ?? item[name]]))
  return flags as Flags
}
