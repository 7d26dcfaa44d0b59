import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query.ts'
import { meKey, SessionProvider } from '../../lib/session.tsx'
import { writeToken } from '../../lib/token.ts'
import { Component as EditPostPage } from './posts/EditPostPage.tsx'
import { ReuseRules } from './slots/ReuseRules.tsx'
import type { TimelineItem } from './timeline/api.ts'
import { ItemDialog } from './timeline/ItemDialog.tsx'
import { QueueDialog } from './timeline/QueueDialog.tsx'
import type { OneRecord } from './verification/api.ts'
import { RecordForm } from './verification/RecordForm.tsx'

const POST = {
  ...{ _id: 'post', titles: ['The lake'], testTitles: false, mediaId: null, offerId: null, nsfw: true },
  ...{ link: 'https://www.redgifs.com/ifr/lake', comment: '', postedSubreddits: [] },
}
const ITEM = {
  ...{ _id: 'item', subreddit: 'Gardens', title: 'The lake', comment: '', nsfw: true, state: 'scheduled' },
  ...{ flairId: null, flairText: null, accountId: 'account', byHand: false },
  postTime: new Date(Date.now() + 86_400_000).toISOString(),
} as TimelineItem
const QUEUE = {
  ...{ timeZone: 'UTC', days: [1], hours: [9], gapMinutes: 60, sameMediaMinutes: 0, paused: false },
  ...{ recycleDays: 30, recycleMinScore: 10, removeBelow: null, removeAfterHours: 24 },
  accounts: [{ _id: 'account', name: 'mara', state: 'posting' }],
}
const RECORD = {
  ...{ name: 'Gardens', status: 'todo', confirmed: 'pending', notes: '', remindOn: null },
} as OneRecord
const ME = { _id: 'me', isCreator: true, timeZone: 'UTC', items: [] }
const CONFIG = { brand: { name: 'Fanfare' }, forum: { name: 'Reddit' }, payments: {}, features: {} }

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

/** Shows a form; answers the bodies that it sends. */
function opens(form: ReactNode): object[] {
  const sent: object[] = []
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string, { method, body }: RequestInit = {}) => {
    if (method === 'POST') sent.push(JSON.parse(String(body)))
    // Another tab saved a comment meanwhile.
    if (method === 'POST') return Response.json({ ...POST, titles: ['The sea'], comment: 'Of another tab' })
    if (address.includes('/post/post/history')) return Response.json({ items: [], nextCursor: null })
    if (address.includes('/config')) return Response.json(CONFIG)
    return Response.json(address.includes('/queue') ? QUEUE : address.includes('/post/') ? POST : ME)
  })
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  const router = createMemoryRouter([{ path: '/:redditPostId', element: form }], {
    initialEntries: ['/post'],
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return sent
}

async function retypes(name: string | RegExp, text: string): Promise<void> {
  const field = await screen.findByRole('textbox', { name, hidden: true })
  await userEvent.clear(field)
  await userEvent.type(field, text)
}

test.each([
  ['a post', () => <EditPostPage />, 'Title 1', 'The sea', { titles: ['The sea'] }],
  [
    'a scheduled post',
    () => <ItemDialog item={ITEM} opened onClose={() => {}} />,
    ...(['Title', 'The sea', { itemId: 'item', title: 'The sea' }] as const),
  ],
  [
    'the queue',
    () => <QueueDialog opened onClose={() => {}} />,
    ...(['Minutes between posts', '30', { gapMinutes: 30 }] as const),
  ],
  ['the rules of reuse', () => <ReuseRules />, /score/i, '20', { recycleMinScore: 20 }],
  [
    'a verification',
    () => <RecordForm record={RECORD} userId={undefined} />,
    ...(['Notes', 'Asked', { srName: 'Gardens', notes: 'Asked' }] as const),
  ],
])(
  'saving %s sends only what was changed, so that what another tab saved stays',
  async (_, form, name, text, body) => {
    const sent = opens(form())
    await retypes(name, text)
    await userEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent).toEqual([body])
  },
)

test('what another tab saved of a post is shown once this one saves', async () => {
  opens(<EditPostPage />)
  await retypes('Title 1', 'The sea')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByDisplayValue('Of another tab')
})
