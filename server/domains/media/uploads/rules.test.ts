import { expect, test } from 'vitest'
import { MAX_TITLE_LENGTH } from '../../../../contract/constants.ts'
import { firstTitle } from './rules.ts'

test.each([
  ['morning_light-02.jpg', 'morning light 02'],
  ['IMG_2034.HEIC', 'IMG 2034'],
  ['By  the\twindow. Part 2.mp4', 'By the window. Part 2'],
  ['--summer--.png', 'summer'],
  ['no ending', 'no ending'],
  ['___.jpg', ''],
  ['.jpg', ''],
  ['two\u2028lines\u0007.jpg', 'two lines'],
])('the title of %j is %j', (fileName, title) => {
  expect(firstTitle(fileName)).toBe(title)
})

test('a title is no longer than titles may be', () => {
  expect(firstTitle(`${'long name '.repeat(20)}.jpg`)).toHaveLength(MAX_TITLE_LENGTH - 1)
})

test.each([
  ['a pair', '😀'],
  ['an accent of its own', 'e\u0301'],
  ['a family', '👨‍👩‍👧'],
  ['a flag', '🇦🇹'],
])('a title is not cut through %s', (_what, character) => {
  for (let before = MAX_TITLE_LENGTH - 12; before <= MAX_TITLE_LENGTH; before++) {
    const start = 'a'.repeat(before)
    const fits = before + character.length <= MAX_TITLE_LENGTH
    expect(firstTitle(`${start}${character} beach.mp4`).startsWith(fits ? start + character : start)).toBe(
      true,
    )
    const title = firstTitle(`${start}${character}beach.mp4`)
    expect(title.length).toBeLessThanOrEqual(MAX_TITLE_LENGTH)
    if (!fits) expect(title).toBe(start)
  }
})
