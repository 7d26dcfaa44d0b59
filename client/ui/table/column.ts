import type { ReactNode } from 'react'
import type { Selection } from '../selection.ts'
import type { Arranged, Arrangement } from './arrange.ts'
import type { orderTexts } from './texts.ts'

/** One column of a `DataTable`. */
export type Column<One> = Arranged<One> & {
  header: string
  cell: (row: One) => ReactNode
  /** Of the table’s width, such as `20%`; columns without one share the rest. */
  width?: string
  /** What its order is called; without it, by the alphabet, and of figures from the lowest. */
  order?: keyof typeof orderTexts
  /** Figures stand at the end of their column. */
  figures?: boolean
  /** Where it stands on the card that a row is on a phone; a column without a place isn’t shown there. */
  card?: 'title' | 'value' | 'note' | 'state'
  /** What stands there, where that isn’t its cell. */
  onCard?: (row: One) => ReactNode
}

/** What a `DataTable` shows, and what can be done with it. */
export type DataTableProps<One> = {
  label: string
  rows: readonly One[]
  columns: readonly Column<One>[]
  keyOf: (row: One) => string
  /** What a row is called when it is read out. */
  nameOf: (row: One) => string
  /** How the rows are searched and sorted. All rows must be loaded by then. */
  arrangement: Arrangement
  onArrange: (arrangement: Arrangement) => void
  /** Words in the empty search field; without them there is none. */
  searchLabel?: string
  /** Groups to choose one of, such as kinds. */
  groups?: { label: string; all: string; of: (row: One) => string; options: readonly Option[] }
  /** Rows can be chosen: by a click, a range with shift, by the keyboard. */
  selection?: {
    now: Selection
    onChange: (selection: Selection) => void
    /** How many of the chosen rows are acted on. */
    count: number
    /** Which rows have a box; all of them without it. */
    mayChoose?: (row: One) => boolean
  }
  /** From which width of the window on rows are lines of a table rather than cards. */
  wideFrom?: `${number}em`
  /** More rows are on their way: how many are found is not known yet. */
  incomplete?: boolean
  /** Shown instead of rows when nothing is left of them. */
  none: ReactNode
}

type Option = { value: string; label: string }
