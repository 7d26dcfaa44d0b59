import type { Page } from 'playwright-core'

type Point = { x: number; y: number }

const FRAME_MS = 16

/** Fingers on the screen, as the browser gets them from a real one. */
export type Fingers = {
  tap(at: Point): Promise<void>
  doubleTap(at: Point): Promise<void>
  /** One finger from here to there within so many milliseconds. */
  swipe(from: Point, to: Point, milliseconds?: number): Promise<void>
  /** Two fingers around a point, from one distance to another, in pixels. */
  pinch(around: Point, from: number, to: number): Promise<void>
}

export async function putFingersOn(page: Page): Promise<Fingers> {
  const devTools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
    devTools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(({ x, y }, id) => ({ x, y, id })),
    })
  const move = async (steps: number, pointsAt: (share: number) => Point[]) => {
    await touch('touchStart', pointsAt(0))
    for (let step = 1; step <= steps; step++) {
      await page.waitForTimeout(FRAME_MS)
      await touch('touchMove', pointsAt(step / steps))
    }
    await touch('touchEnd', [])
  }
  const tap = async (at: Point) => {
    await touch('touchStart', [at])
    await page.waitForTimeout(FRAME_MS * 3)
    await touch('touchEnd', [])
  }
  return {
    tap,
    async doubleTap(at) {
      // Sent at once: on a busy machine the second tap would come too late.
      await Promise.all([
        touch('touchStart', [at]),
        touch('touchEnd', []),
        touch('touchStart', [at]),
        touch('touchEnd', []),
      ])
    },
    swipe: (from, to, milliseconds = 200) =>
      move(Math.round(milliseconds / FRAME_MS), (share) => [
        { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share },
      ]),
    pinch: ({ x, y }, from, to) =>
      move(20, (share) => {
        const half = (from + (to - from) * share) / 2
        return [
          { x: x - half, y },
          { x: x + half, y },
        ]
      }),
  }
}
