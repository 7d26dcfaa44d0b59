import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { ME, message, OTHER } from '../cache/sample.ts'
import SearchPanel, { fromFound } from './SearchPanel.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The results of a search in which one message was found. */
async function finds(content: string, sought: string, senderId = OTHER): Promise<HTMLElement> {
  const items = [message(1, { content, senderId })]
  vi.stubGlobal('fetch', async () => Response.json({ items, nextCursor: null }))
  const other = { _id: OTHER, username: 'ada', isCreator: true, profileImage: null }
  const panel = (
    <SearchPanel recipientId={OTHER} other={other} onFound={() => undefined} onClose={() => undefined} />
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element: panel }])} />
    </QueryClientProvider>,
  )
  await userEvent.type(screen.getByRole('searchbox'), sought)
  return screen.findByRole('list', undefined, { timeout: 3000 })
}

test.each([
  [OTHER, /^ada · Nov 21, 2026/],
  [ME, /^You · Nov 21, 2026/],
])('what %s wrote is found with who wrote it', async (senderId, begins) => {
  expect((await finds('the point', 'point', senderId)).textContent).toMatch(begins)
})

test('what was found far down a long message is in sight', async () => {
  const found = await finds('a message that goes on for long before it comes to its point', 'Its Point')
  expect(found.textContent).toMatch(/…before it comes to its point$/)
})

test.each([
  ['Soon, or as soon as I can', 'soon', ['Soon', 'soon']],
  ['İİİ the point', 'Point', ['point']],
  ['$5 (or more?)', '(OR MORE?)', ['(or more?)']],
])('in “%s”, “%s” is marked wherever it stands', async (content, sought, marked) => {
  const found = await finds(content, sought)
  expect([...found.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(marked)
  expect(found.textContent).toContain(content)
})

test('of a message that is full of it, no more is drawn and marked than one line can show', async () => {
  const found = await finds('a'.repeat(5000), 'a')
  expect(found.querySelectorAll('mark')).toHaveLength(400)
})

test.each([
  ['short and near', 'NEAR', 'short and near'],
  [
    'a message that goes on for long before it comes to the point',
    ' The Point ',
    '…before it comes to the point',
  ],
  [`${'a'.repeat(40)}point, and on`, 'point', '…point, and on'],
  [`${'İ'.repeat(40)} is the point`, 'point', '…is the point'],
  [
    'of another alphabet, so that it isn’t found alike',
    'ΟΔΟΣ',
    'of another alphabet, so that it isn’t found alike',
  ],
])('“%s” in which “%s” was found is shown as “%s”', (content, sought, shown) => {
  expect(fromFound(content, sought)).toBe(shown)
})
