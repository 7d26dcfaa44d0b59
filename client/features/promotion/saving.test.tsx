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
import type { SubredditList } from './lists/api.ts'
import { ListEditor } from './lists/ListEditor.tsx'
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
const LIST = {
  ...{ _id: 'list', title: 'Good', subreddits: ['Gardens'], removeFromSearch: false, siteWide: false },
} as SubredditList
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
  {
    what: 'a post',
    form: () => <EditPostPage />,
    ...{ name: 'Title 1', text: 'The sea', body: { titles: ['The sea'] } },
  },
  {
    what: 'a scheduled post',
    form: () => <ItemDialog item={ITEM} opened onClose={() => {}} />,
    ...{ name: 'Title', text: 'The sea', body: { itemId: 'item', title: 'The sea' } },
  },
  {
    what: 'the queue',
    form: () => <QueueDialog opened onClose={() => {}} />,
    ...{ name: 'Minutes between posts', text: '30', body: { gapMinutes: 30 } },
  },
  {
    what: 'the rules of reuse',
    form: () => <ReuseRules />,
    ...{ name: /score/i, text: '20', body: { recycleMinScore: 20 } },
  },
  {
    what: 'a list',
    form: () => <ListEditor list={LIST} />,
    ...{ name: 'Title', text: 'Best', body: { listId: 'list', title: 'Best' } },
  },
  {
    what: 'a verification',
    form: () => <RecordForm record={RECORD} userId={undefined} />,
    ...{ name: 'Notes', text: 'Asked', body: { srName: 'Gardens', notes: 'Asked' } },
  },
])('saving $what sends only what was changed, so that what another tab saved stays', async (of) => {
  const { form, name, text, body } = of
  const sent = opens(form())
  await retypes(name, text)
  await userEvent.click(screen.getByRole('button', { name: /^(Save|Update)/, hidden: true }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toEqual([body])
})

test('what another tab saved of a post is shown once this one saves', async () => {
  opens(<EditPostPage />)
  await retypes('Title 1', 'The sea')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByDisplayValue('Of another tab')
})
