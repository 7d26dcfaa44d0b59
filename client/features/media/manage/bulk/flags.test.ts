import { describe, expect, test } from 'vitest'
import { consistent, FLAG_NAMES, type Flags, turn } from '../../../../../contract/visibility.ts'
import { AUDIENCES, flagsOf } from '../../edit/words.ts'
import { choicesOf, choose, flagsWith, turned } from './flags.ts'

type Step = readonly [keyof Flags, boolean | null]

const everyFlags = Array.from(
  { length: 2 ** FLAG_NAMES.length },
  (_, bits) => Object.fromEntries(FLAG_NAMES.map((name, at) => [name, (bits & (1 << at)) !== 0])) as Flags,
).filter(consistent)
const everyStep: Step[] = FLAG_NAMES.flatMap((name) => [true, false, null].map((on) => [name, on] as const))
const resultOf = (steps: readonly Step[]) =>
  turned(steps.reduce<ReturnType<typeof choose>>((sum, [name, on]) => choose(sum, name, on), []))

describe('flags of several items at once', () => {
  test.each<[string, Step[], object]>([
    [
      'selling locks',
      [['showInStore', true]],
      { showInStore: true, mustUnlock: true, redditPromotion: false, directOnly: false },
    ],
    ['opening stops selling', [['mustUnlock', false]], { mustUnlock: false, showInStore: false }],
    [
      'private takes all others away',
      [['directOnly', true]],
      {
        directOnly: true,
        showInSearch: false,
        redditPromotion: false,
        mustUnlock: false,
        showInStore: false,
      },
    ],
    [
      'a choice that is taken back takes what it moved along',
      [
        ['directOnly', true],
        ['showInSearch', true],
      ],
      { showInSearch: true, directOnly: false },
    ],
    [
      'left alone again, nothing is left of it',
      [
        ['showInStore', true],
        ['showInStore', null],
      ],
      {},
    ],
    [
      'what a choice needs can’t be left alone while it stands',
      [
        ['showInStore', true],
        ['mustUnlock', null],
      ],
      { showInStore: true, mustUnlock: true, redditPromotion: false, directOnly: false },
    ],
  ])('%s', (_, steps, expected) => {
    expect(resultOf(steps)).toEqual(expected)
  })

  test.each(AUDIENCES.map(({ value }) => value))('%s leaves every item with its flags', (audience) => {
    for (const item of everyFlags)
      expect(flagsWith(item, turned(choicesOf(flagsOf(audience))))).toEqual(flagsOf(audience))
  })

  test('two choices leave every item with flags that stand together, and that the same choices no longer move', () => {
    for (const first of everyStep) {
      for (const second of everyStep) {
        const choices = resultOf([first, second])
        if (second[1] !== null) expect(choices[second[0]]).toBe(second[1])
        for (const item of everyFlags) {
          const flags = flagsWith(item, choices)
          expect(consistent(flags)).toBe(true)
          for (const name of FLAG_NAMES) {
            const on = choices[name]
            if (on !== undefined) expect(turn(flags, name, on)).toEqual(flags)
          }
        }
      }
    }
  })
})
