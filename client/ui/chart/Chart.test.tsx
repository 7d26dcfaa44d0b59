import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
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
  const bars = within(screen.getByRole('img', { name: 'Your share over time' }))
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
