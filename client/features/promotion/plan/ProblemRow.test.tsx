import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { PlanPreview } from './PlanPreview.tsx'
import { initialRows, type PlannedRow } from './rows.ts'

beforeEach(() => {
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(address.includes('/queue') ? { accounts: [] } : { items: [], flair: [] }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const OFTEN = { rule: 'frequency' as const, message: 'r/Gardens allows 1 post every day.' }
const row = (line: number, of: Partial<PlannedRow>): PlannedRow => ({
  ...{ line, postId: `post${line}`, subreddit: 'Gardens', title: 'The lake', comment: null, nsfw: null },
  ...{ flairId: null, flairText: null, flair: null, accountId: null, byHand: false },
  ...{ wanted: 'endOfQueue', postTime: null, problem: null },
  ...of,
})

function opens(rows: PlannedRow[], isFile: boolean): HTMLElement[] {
  const preview = <PlanPreview rows={initialRows(rows, isFile)} onChange={() => {}} onBack={() => {}} />
  render(
    <MantineProvider>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: preview }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return screen.getAllByRole('listitem')
}

test('all that keeps a row from being scheduled is said, with a way to correct each', async () => {
  const title = { rule: 'title-required' as const, message: 'The title needs “[lake]”.' }
  const flair = { rule: 'flair' as const, message: 'Choose a flair: r/Gardens requires one.' }
  const problem = { ...OFTEN, suggestion: 'The lake [lake]', others: [title, flair] }
  const [first] = opens([row(0, { problem })], false)
  const its = within(first as HTMLElement)
  for (const { message } of [OFTEN, title, flair]) expect(its.getByText(message)).not.toBeNull()
  expect(its.getByRole('textbox', { name: 'Title' })).not.toBeNull()
  expect(its.getByRole('button', { name: 'Use “The lake [lake]”' })).not.toBeNull()
})

const problem = { ...OFTEN, suggestion: null, others: [] }
const alike = [row(2, { problem }), row(3, { problem, title: 'The pond' }), row(4, { problem })]

test.each([
  [
    'by their place in the plan',
    false,
    ['Post 1 r/Gardens · The lake', 'Post 3 r/Gardens · The lake'],
    'Post 3',
  ],
  ['by their line in a file', true, ['Line 2 r/Gardens · The lake', 'Line 4 r/Gardens · The lake'], 'Line 4'],
])('rows of one title in one subreddit are told apart %s', (_, isFile, heads, last) => {
  const [first, other, second] = opens(alike, isFile)
  const headOf = (item: HTMLElement | undefined) => item?.querySelector('p')?.textContent
  expect([headOf(first), headOf(second)]).toEqual(heads)
  expect(headOf(other)).toBe(isFile ? 'Line 3 r/Gardens · The pond' : 'r/Gardens · The pond')
  expect(screen.getByRole('button', { name: `Remove “The lake” in r/Gardens, ${last}` })).not.toBeNull()
})
