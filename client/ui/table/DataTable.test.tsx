import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NOTHING_SELECTED } from '../selection.ts'
import { AS_IT_COMES } from './arrange.ts'
import type { Column } from './column.ts'
import { DataTable } from './DataTable.tsx'

type Sale = { id: string; title: string; cents: number }

const columns: Column<Sale>[] = [
  { id: 'title', header: 'Item', value: ({ title }) => title, cell: ({ title }) => title, card: 'title' },
  {
    id: 'cents',
    header: 'Amount',
    value: ({ cents }) => cents,
    cell: ({ cents }) => `¢${cents}`,
    figures: true,
    card: 'value',
  },
  { id: 'menu', header: 'Actions', cell: () => <button type="button">Refund</button> },
]
const few: Sale[] = [
  { id: 'a', title: 'Sunrise', cents: 300 },
  { id: 'b', title: 'Noon', cents: 100 },
  { id: 'c', title: 'Dusk', cents: 200 },
  { id: 'd', title: 'Night', cents: 400 },
]

let wide: boolean

beforeEach(() => {
  wide = true
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width') && wide,
    addEventListener() {},
    removeEventListener() {},
  }))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function Sales({ rows, mayChoose }: { rows: readonly Sale[]; mayChoose?: (row: Sale) => boolean }) {
  const [arrangement, setArrangement] = useState(AS_IT_COMES)
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  return (
    <MantineProvider>
      <DataTable
        label="Sales"
        rows={rows}
        columns={columns}
        keyOf={idOf}
        nameOf={({ title }) => title}
        arrangement={arrangement}
        onArrange={setArrangement}
        selection={{
          now: selection,
          onChange: setSelection,
          count: selection.chosen.size,
          ...(mayChoose ? { mayChoose } : {}),
        }}
        none={<p>Nothing</p>}
      />
      <output>{[...selection.chosen].sort().join()}</output>
    </MantineProvider>
  )
}
const idOf = ({ id }: Sale) => id

const boxes = () =>
  screen.getAllByRole('checkbox').filter((box) => box.getAttribute('aria-label') !== 'Select all')
const titles = () => boxes().map((box) => box.getAttribute('aria-label'))
const box = (name: string) => screen.getByRole('checkbox', { name })
const chosen = () => document.querySelector('output')?.textContent

test('a column sorts up, down and back, and says so', async () => {
  render(<Sales rows={few} />)
  const head = screen.getByRole('columnheader', { name: 'Amount' })
  const sort = within(head).getByRole('button')
  await userEvent.click(sort)
  expect(titles()).toEqual(['Noon', 'Dusk', 'Sunrise', 'Night'])
  expect(head.getAttribute('aria-sort')).toBe('ascending')
  await userEvent.click(sort)
  expect(titles()).toEqual(['Night', 'Sunrise', 'Dusk', 'Noon'])
  await userEvent.click(sort)
  expect(titles()).toEqual(['Sunrise', 'Noon', 'Dusk', 'Night'])
  expect(head.getAttribute('aria-sort')).toBe('none')
  // What has nothing to sort by offers no sorting.
  expect(within(screen.getByRole('columnheader', { name: 'Actions' })).queryByRole('button')).toBeNull()
})

test('shift-click chooses the range between, in the order that is shown', async () => {
  const user = userEvent.setup()
  render(<Sales rows={few} />)
  await user.click(within(screen.getByRole('columnheader', { name: 'Amount' })).getByRole('button'))
  await user.click(box('Noon'))
  await user.keyboard('{Shift>}')
  await user.click(box('Sunrise'))
  await user.keyboard('{/Shift}')
  expect(chosen()).toBe('a,b,c')
  await user.click(box('Dusk'))
  expect(chosen()).toBe('a,b')
})

test('select all stands between nothing and all, and turns both ways', async () => {
  render(<Sales rows={few} />)
  const all = box('Select all') as HTMLInputElement
  await userEvent.click(box('Dusk'))
  expect(all.indeterminate).toBe(true)
  await userEvent.click(all)
  expect(chosen()).toBe('a,b,c,d')
  await userEvent.click(all)
  expect(chosen()).toBe('')
})

test('the keyboard stops once, goes by arrows, chooses by space, by shift and all at once', async () => {
  const user = userEvent.setup()
  render(<Sales rows={few} />)
  box('Select all').focus()
  const focused = () =>
    document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
  await user.tab()
  await user.tab()
  await user.tab()
  expect(focused()).toBe('Sunrise')
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Noon')
  await user.keyboard(' ')
  expect(chosen()).toBe('b')
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
  expect([focused(), chosen()]).toEqual(['Dusk', 'b,c'])
  await user.keyboard('{End}{ArrowDown}')
  expect(focused()).toBe('Night')
  await user.keyboard('{Home}')
  expect(focused()).toBe('Sunrise')
  expect(boxes().filter((one) => one.tabIndex === 0)).toHaveLength(1)
  await user.keyboard('{Control>}a{/Control}')
  expect(chosen()).toBe('a,b,c,d')
})

test('what can’t be chosen has no box, and all ways to choose leave it out', async () => {
  const user = userEvent.setup()
  const { rerender } = render(<Sales rows={few} mayChoose={({ title }) => title !== 'Noon'} />)
  expect(titles()).toEqual(['Sunrise', 'Dusk', 'Night'])
  screen.getByText('Noon')
  await user.click(box('Select all'))
  expect(chosen()).toBe('a,c,d')
  expect(box('Select all')).toHaveProperty('checked', true)
  await user.keyboard(' ')
  expect(chosen()).toBe('')
  await user.click(box('Sunrise'))
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
  expect([document.activeElement?.getAttribute('aria-label'), chosen()]).toEqual(['Dusk', 'a,c'])
  await user.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(box('Sunrise'))
  await user.keyboard('{Shift>}')
  await user.click(box('Night'))
  await user.keyboard('{/Shift}')
  expect(chosen()).toBe('a,c,d')
  rerender(<Sales rows={few} mayChoose={() => false} />)
  expect(screen.queryAllByRole('checkbox')).toEqual([])
})

test('of thousands only those near the window stand in the document, and the keyboard reaches the last', async () => {
  const user = userEvent.setup()
  const rows = Array.from({ length: 5000 }, (_, index) => ({
    id: `${index}`,
    title: `Sale ${index}`,
    cents: index,
  }))
  vi.spyOn(HTMLTableSectionElement.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, 1000, 5000 * 52),
  )
  render(<Sales rows={rows} />)
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('5001')
  expect(boxes().length).toBeLessThan(100)
  box('Sale 0').focus()
  await user.keyboard('{End}')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Sale 4999')
  expect(document.activeElement?.closest('tr')?.getAttribute('aria-rowindex')).toBe('5001')
  await user.keyboard('{ArrowUp} ')
  expect(chosen()).toBe('4998')
  expect(boxes().length).toBeLessThan(100)
})

test('on a phone each row is a card, sorted by a field above', async () => {
  wide = false
  render(<Sales rows={few} />)
  expect(screen.queryByRole('columnheader', { name: 'Amount' })).toBeNull()
  expect(screen.getAllByText('¢300')).toHaveLength(1)
  // A column without a place on the card isn't there.
  expect(screen.queryByText('Refund')).toBeNull()
  await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Amount, highest first')
  expect(titles()).toEqual(['Night', 'Sunrise', 'Dusk', 'Noon'])
  expect(within(screen.getByLabelText('Sort by')).getByRole('option', { name: 'Item, A to Z' })).toBeDefined()
})
