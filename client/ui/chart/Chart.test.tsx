import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Bars } from './Bars.tsx'
import { Chart } from './Chart.tsx'

afterEach(cleanup)

test('the figures of a chart can be read as a table, in the order of its bars', async () => {
  render(
    <Chart
      label="Your share over time"
      format={(cents) => `$${cents / 100}`}
      summary="$12 from 2 sales"
      unit="Day"
      points={[
        { key: '2026-11-21', tick: 'Nov 21', title: 'Nov 21, 2026', value: 800 },
        { key: '2026-11-22', tick: 'Nov 22', title: 'Nov 22, 2026', value: 400 },
      ]}
      columns={[
        { header: 'Sales', cells: ['1', '1'] },
        { header: 'Your share', cells: ['$8', '$4'] },
      ]}
    />,
  )
  screen.getByText('$12 from 2 sales')
  const bars = within(screen.getByRole('img', { name: 'Your share over time: $12 from 2 sales' }))
  // What one sees on pointing at a bar.
  expect(bars.getByText('Nov 21, 2026', { exact: false }).textContent).toBe('$8 Nov 21, 2026')
  expect(screen.queryByRole('table')).toBeNull()
  const view = screen.getByRole('button', { name: 'View as table' })
  await userEvent.click(view)
  expect(view.getAttribute('aria-pressed')).toBe('true')
  const rows = within(screen.getByRole('table')).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'DaySalesYour share',
    'Nov 21, 20261$8',
    'Nov 22, 20261$4',
  ])
  await userEvent.click(view)
  expect(screen.queryByRole('table')).toBeNull()
})

test('a tap shows what a bar stands for, another one hides it, and no two are shown', () => {
  render(<Bars label="Sales" summary="6 sales" format={String} points={days(3)} />)
  const column = (day: number) => screen.getByText(`Day ${day}`).parentElement as HTMLElement
  const tapped = () => [...document.querySelectorAll('[data-tapped]')]
  expect(tapped()).toEqual([])
  fireEvent.pointerUp(column(1))
  expect(tapped()).toEqual([column(1)])
  fireEvent.pointerUp(column(2))
  expect(tapped()).toEqual([column(2)])
  fireEvent.pointerUp(column(2))
  expect(tapped()).toEqual([])
})

test.each([7, 12, 30, 90])('a narrow chart of %i bars has about every second date of a wide one', (count) => {
  render(<Bars label="Sales" summary="Many sales" format={String} points={days(count)} />)
  const ticks = screen.getAllByText(/^tick/)
  const few = ticks.filter((tick) => !tick.hasAttribute('data-extra'))
  expect(ticks.length).toBeLessThanOrEqual(8)
  expect(few).toHaveLength(Math.ceil(ticks.length / 2))
  expect(few.length).toBeGreaterThan(2)
})

function days(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    key: `${index}`,
    tick: `tick ${index}`,
    title: `Day ${index}`,
    value: index,
  }))
}
