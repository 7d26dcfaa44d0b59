import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { Component } from './TimelinePage.tsx'

const ME = { _id: 'me', isCreator: true, forumConnected: true, timeZone: 'UTC' }
const CONFIG = { brand: { name: 'Fanfare' }, forum: { name: 'Reddit' }, payments: {}, features: {} }
const QUEUE = { accounts: [], paused: false, timeZone: 'UTC', days: [], hours: [] }
const ITEM = {
  ...{ _id: 'item', postId: 'post', subreddit: 'Gardens', title: 'The lake', comment: '', nsfw: true },
  ...{ state: 'scheduled', failure: null, flairId: null, flairText: null, accountId: 'account' },
  ...{ account: 'mara', byHand: false, mediaId: null, thumbnail: null, permalink: null, clash: null },
  ...{ postedTime: null, commentState: 'none', removedBy: null, takenDownAt: null, score: null },
  ...{ commentsCount: null, postTime: new Date(Date.now() + 60_000).toISOString() },
}

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

test.each([
  ['goes up', [{ ...ITEM, state: 'submitting' }]],
  ['is removed in another tab', []],
])('what is typed of a post stays when the post %s meanwhile', async (_, later) => {
  let items: object[] = [ITEM]
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('/config')) return Response.json(CONFIG)
    if (address.includes('/queue')) return Response.json(QUEUE)
    return Response.json(address.includes('/timeline') ? { items, hasMore: false, nextCursor: null } : ME)
  })
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  const router = createMemoryRouter([{ path: '*', element: <Component /> }])
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: /^Edit/ }))
  const field = await screen.findByRole('textbox', { name: 'Title', hidden: true })
  await userEvent.type(field, ' at dawn')
  items = later
  await client.invalidateQueries()
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Edit/, hidden: true })).toBeNull())
  expect(screen.queryByDisplayValue('The lake at dawn')).not.toBeNull()
})
