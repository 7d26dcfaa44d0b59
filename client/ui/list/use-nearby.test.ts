import { describe, expect, test } from 'vitest'
import { nearbyOf } from './use-nearby.ts'

describe('what of a list is drawn', () => {
  // A thousand rows of 50 pixels in a window of 800.
  const at = (scrolled: number) => nearbyOf(1000, { top: -scrolled, height: 50_000 }, 800)

  test('at its start: the window and one and a half of its heights below, nothing far away', () => {
    expect(at(0)).toEqual({ from: 0, to: 40 })
  })

  test('in its middle: as much above', () => {
    expect(at(20_000)).toEqual({ from: 376, to: 440 })
  })

  test('at its end: nothing beyond', () => {
    expect(at(49_200)).toEqual({ from: 960, to: 1000 })
  })

  test('scrolling a little draws nothing again', () => {
    expect(at(20_100)).toEqual(at(20_050))
    expect(at(20_500)).not.toEqual(at(20_050))
  })

  test('what is on screen is always drawn', () => {
    for (let scrolled = 0; scrolled <= 49_200; scrolled += 37) {
      const { from, to } = at(scrolled)
      expect(from).toBeLessThanOrEqual(scrolled / 50)
      expect(to).toBeGreaterThanOrEqual((scrolled + 800) / 50)
      expect(to - from).toBeLessThanOrEqual(90)
    }
  })

  test('everything is drawn where nothing has a height yet', () => {
    expect(nearbyOf(1000, { top: 0, height: 0 }, 800).to).toBe(Number.POSITIVE_INFINITY)
  })
})
