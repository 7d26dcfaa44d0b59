import { describe, expect, it } from 'vitest'
import { hasReached } from './infinite-scroll.ts'

describe('hasReached', () => {
  it('fires when the window’s lower edge is at 80% of the page, not before', () => {
    expect(hasReached(0, 799, 1000)).toBe(false)
    expect(hasReached(0, 800, 1000)).toBe(true)
    expect(hasReached(2999, 800, 4750)).toBe(false)
    expect(hasReached(3000, 800, 4750)).toBe(true)
  })

  it('fires at once when the page does not fill the window', () => {
    expect(hasReached(0, 800, 800)).toBe(true)
  })
})
