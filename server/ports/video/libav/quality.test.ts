import { expect, test } from 'vitest'
import { qualitiesOf } from './quality.ts'

test.each([
  ['a video of 1080 lines', 1920, 1080, ['1080: 1920x1080', '720: 1280x720', '360: 640x360']],
  ['an upright video', 1080, 1920, ['1080: 1080x1920', '720: 720x1280', '360: 360x640']],
  ['a size between two', 1000, 750, ['750: 1000x750', '360: 480x360']],
  ['a small one', 426, 240, ['240: 426x240']],
  ['one step exactly', 640, 360, ['360: 640x360']],
  [
    'a square larger than any step',
    1920,
    1920,
    ['1920: 1920x1920', '1080: 1080x1080', '720: 720x720', '360: 360x360'],
  ],
])('%s is streamed in its own size and in smaller even ones, never above', (_, width, height, expected) => {
  const qualities = qualitiesOf({ width, height })
  expect(qualities.map((quality) => `${quality.lines}: ${quality.width}x${quality.height}`)).toEqual(expected)
})
