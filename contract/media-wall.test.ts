import { describe, expect, test } from 'vitest'
import { place, ROWS_PER_WIDTH } from './media-wall.ts'

const square = { width: 100, height: 100 }
const tall = { width: 100, height: 150 }
/** A column so narrow that the height of a preview sets no limit. */
const NARROW = 150

describe('place', () => {
  test('puts each box into the shortest column, the first one when they are even', () => {
    expect(place([tall, square, square, square], 2, NARROW)).toEqual([
      { column: 1, row: 1, span: 90 },
      { column: 2, row: 1, span: 60 },
      { column: 2, row: 61, span: 60 },
      { column: 1, row: 91, span: 60 },
    ])
  })

  test('leaves what stands where it is when more is added', () => {
    const first = [square, tall, square, tall, square]
    const grown = place([...first, tall, tall, square], 3, NARROW)
    expect(grown.slice(0, first.length)).toEqual(place(first, 3, NARROW))
  })

  test('no two boxes of a column overlap', () => {
    const boxes = Array.from({ length: 40 }, (_, index) => ({
      width: 100,
      height: 40 + ((index * 53) % 170),
    }))
    const places = place(boxes, 4, NARROW)
    for (const column of [1, 2, 3, 4]) {
      const stack = places.filter((box) => box.column === column)
      expect(stack.length).toBeGreaterThan(0)
      stack.reduce((end, box) => {
        expect(box.row).toBe(end)
        return box.row + box.span
      }, 1)
    }
  })

  test('cuts panoramas and strips, and takes a box without pixels as a square', () => {
    const [panorama, strip, none] = place(
      [
        { width: 1000, height: 10 },
        { width: 10, height: 1000 },
        { width: 0, height: 0 },
      ],
      3,
      NARROW,
    )
    expect(panorama?.span).toBe(ROWS_PER_WIDTH / 2)
    expect(strip?.span).toBe(106)
    expect(none?.span).toBe(ROWS_PER_WIDTH)
  })

  test.each([150, 195, 294, 375, 500])('in columns of %i pixels no preview is higher than 350', (width) => {
    const [highest] = place([{ width: 10, height: 1000 }], 1, width)
    const pixels = ((highest?.span ?? 0) * width) / ROWS_PER_WIDTH
    expect(pixels).toBeLessThanOrEqual(350)
    if (width > 200) expect(pixels).toBeGreaterThan(342)
  })
})
