/** A wall of pictures as the document and the application place it. */

/** Rows of the grid that one column's width stands for: fine enough that a picture is cut by less than 1%. */
export const ROWS_PER_WIDTH = 60
/** Pixels that a preview is high at most (docs/product.md, Limits). */
const PREVIEW_HEIGHT = 350
/** The widest and the tallest box, as height ÷ width: panoramas and strips are cut in the grid, whole in the viewer. */
const FLATTEST = 0.5
const TALLEST = 1.78

/** Where one box stands in a CSS grid; lines count from 1. */
export type Place = { column: number; row: number; span: number }

/** How many rows the boxes take together. */
export function rowsOf(places: readonly Place[]): number {
  return places.reduce((rows, { row, span }) => Math.max(rows, row - 1 + span), 0)
}

/**
 * Places boxes of given pixels into columns of `columnWidth` pixels, each into the shortest so far. Their order in the
 * document stays the order of the list, so that keyboard and screen readers go by it, and what stands never moves when
 * a page is added.
 */
export function place(
  boxes: readonly { width: number; height: number }[],
  columns: number,
  columnWidth: number,
): Place[] {
  const tallest = Math.min(TALLEST, PREVIEW_HEIGHT / columnWidth)
  const heights = new Array<number>(columns).fill(0)
  return boxes.map((box) => {
    const ratio = box.width > 0 && box.height > 0 ? box.height / box.width : 1
    const span = Math.floor(Math.min(tallest, Math.max(FLATTEST, ratio)) * ROWS_PER_WIDTH)
    const shortest = heights.indexOf(Math.min(...heights))
    const row = (heights[shortest] ?? 0) + 1
    heights[shortest] = row - 1 + span
    return { column: shortest + 1, row, span }
  })
}

/** How wide a tile of a wall, and the picture of an item's own page, is shown: the `sizes` of their sources. */
export const WALL_SIZES = '(min-width: 75em) 19rem, (min-width: 48em) 33vw, 50vw'
export const DETAIL_SIZES = '(min-width: 81em) 51rem, (min-width: 75em) calc(100vw - 28rem), 100vw'
