/**
 * The widths in pixels to make of a picture of `width`: each step that fits, and the picture's own width when it
 * falls between two steps or below the first. Nothing is ever enlarged.
 */
export function widthsWithin(steps: readonly number[], width: number): number[] {
  const fitting = steps.filter((step) => step <= width)
  return fitting.length < steps.length && fitting.at(-1) !== width ? [...fitting, width] : fitting
}
