import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { conversation, ME, message, OTHER } from '../cache/sample.ts'
import { ConversationList } from './ConversationList.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

test.each([
  [null, OTHER, 'text 1'],
  ['requested', OTHER, 'Custom request: text 1'],
  ['requested', ME, 'You: Custom request: text 1'],
  ['delivered', OTHER, 'Custom request delivered'],
] as const)('a newest message that is of a custom request (%s) says so', async (request, senderId, shown) => {
  writeToken('token')
  const person = { _id: ME, username: 'me', isCreator: false, subscriptions: [] }
  const lastMessage = { ...message(1, { senderId }), attachments: 0, request }
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('/conversations')
      ? Response.json({
          conversations: [{ ...conversation({ lastMessage }), spent: null }],
          hasMore: false,
          nextCursor: null,
        })
      : Response.json({ ...person, items: [], hasMore: false, nextCursor: null }),
  )
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], person)
  const element = <ConversationList openWith={undefined} titled />
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  expect(await screen.findByText(shown)).toBeTruthy()
})
