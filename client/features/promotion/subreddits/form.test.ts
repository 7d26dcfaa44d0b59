import { describe, expect, test } from 'vitest'
import { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import type { Subreddit } from './api.ts'
import { bodyOf, limitErrors, valuesOf } from './form.ts'
import { subredditTexts as texts } from './texts.ts'

const TAG = '00000000-0000-7000-8000-000000000001'

const subreddit: Subreddit = {
  _id: '00000000-0000-7000-8000-000000000002',
  name: 'CozyKnits',
  subscribers: 1200,
  description: 'Knitwear and yarn',
  verificationType: 'required',
  notes: 'Daylight only',
  categorized: true,
  sellingAccountsAllowed: true,
  ocSettings: 'ocOnly',
  boyAndGirlRequired: false,
  couplesOnly: true,
  malesAllowed: 'false',
  womenOnly: 'true',
  toysAllowed: true,
  sexActsAllowed: false,
  watermarkType: 'reddit username',
  faceRequired: true,
  postFrequency: { maxPosts: 2, intervalAmount: 24, intervalUnit: 'hours' },
  repostFrequency: null,
  srTagIds: [TAG],
  state: 'read',
  readAt: '2026-11-21T10:00:00.000Z',
  changed: null,
}

const accepts = (body: unknown) => subredditRoutes.editSubreddit.body.safeParse(body).success

describe('the form of a subreddit', () => {
  const known = valuesOf(subreddit)
  const sentOf = (change: Partial<typeof known>) => bodyOf('CozyKnits', { ...known, ...change }, known)

  test.each([
    [{}, {}],
    [{ notes: 'Evenings only' }, { notes: 'Evenings only' }],
    [{ srTagIds: [] }, { srTagIds: [] }],
    [{ pfMaxPosts: '3' }, { pfMaxPosts: 3, pfIntervalAmount: 24, pfIntervalUnit: 'hours' }],
    [
      { pfMaxPosts: '', pfIntervalAmount: '', pfIntervalUnit: '' as const },
      { pfMaxPosts: null, pfIntervalAmount: null, pfIntervalUnit: null },
    ],
  ])('sends nothing but what differs, a limit as a whole: %j', (change, sent) => {
    expect(sentOf(change)).toEqual({ srName: 'CozyKnits', ...sent })
    expect(accepts(sentOf(change))).toBe(true)
  })

  test('sends half a limit, which is refused', () => {
    expect(accepts(sentOf({ pfMaxPosts: '' }))).toBe(false)
    expect(accepts({ srName: 'CozyKnits', pfMaxPosts: 1 })).toBe(false)
  })

  test('starts empty for one that isn’t tracked, and can be sent so', () => {
    const values = valuesOf(null)
    expect(limitErrors(values)).toEqual({})
    expect(accepts(bodyOf('TeaCups', values, values))).toBe(true)
  })
})

describe('a limit', () => {
  const typed = (change: Partial<ReturnType<typeof valuesOf>>) =>
    limitErrors({ ...valuesOf(null), ...change })

  test('is complete or empty', () => {
    expect(typed({ rpfMaxPosts: '1', rpfIntervalAmount: '3', rpfIntervalUnit: 'days' })).toEqual({})
    expect(typed({ pfMaxPosts: '1' })).toEqual({ pfIntervalAmount: texts.incomplete })
    expect(typed({ pfMaxPosts: '1', pfIntervalAmount: '2' })).toEqual({ pfIntervalUnit: texts.incomplete })
    expect(typed({ rpfIntervalUnit: 'days' })).toEqual({ rpfMaxPosts: texts.incomplete })
  })

  test.each(['0', '1.5', '-1', '1001', 'two'])('is not %s posts', (pfMaxPosts) => {
    expect(typed({ pfMaxPosts, pfIntervalAmount: '1', pfIntervalUnit: 'days' })).toEqual({
      pfMaxPosts: texts.number,
    })
  })
})
