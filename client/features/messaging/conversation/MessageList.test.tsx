import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { VirtuosoMockContext } from 'react-virtuoso'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { chatQuery } from '../api.ts'
import { answer, ME, message, OTHER } from '../cache/sample.ts'
import { type Chat, opened, withMessage } from '../cache/timeline.ts'
import { MessageList } from './MessageList.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

/** Shows a conversation; answers what shows it as it is later. */
function show(
  chat: Chat,
  fetch: (address: string) => Promise<unknown> = () => new Promise(() => {}),
): (later: Chat) => void {
  writeToken('token')
  vi.stubGlobal('fetch', fetch)
  const client = createQueryClient()
  const me = { _id: ME, username: 'me', verifiedEmail: 'verified', isCreator: false }
  client.setQueryData([...meKey, 'token'], me)
  client.setQueryData(chatQuery(OTHER).queryKey, chat)
  const nothing = () => {}
  const other = { _id: OTHER, username: 'okko', isCreator: true, profileImage: null }
  const acts = { onSeek: nothing, onRewrite: null, onHandle: nothing, onUnlock: null, onPay: null }
  const shown = (now: Chat) => (
    <QueryClientProvider client={client}>
      <SessionProvider>
        <MemoryRouter>
          <VirtuosoMockContext.Provider value={{ viewportHeight: 600, itemHeight: 40 }}>
            <MessageList recipientId={OTHER} chat={now} other={other} sought={null} {...acts} />
          </VirtuosoMockContext.Provider>
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>
  )
  const { rerender } = render(shown(chat))
  return (later) => rerender(shown(later))
}

const empty = (refusal: Chat['refusal']) => ({ ...opened(answer([])), refusal })

test('a conversation without messages asks for one only where one can be written', async () => {
  show(empty(null))
  await screen.findByText('Say hi to okko')
  cleanup()
  show(empty({ error: 'Only followers can message this creator.', code: 'followers_only' }))
  await screen.findByText('You can’t message okko')
  expect(screen.queryByText('Say hi to okko')).toBeNull()
})

test('what the other person writes is read out each time, also where it is the same again', async () => {
  const chat = opened(answer([1]))
  const update = show(chat)
  const announced = () => screen.getByText('okko: Okay')
  const second = withMessage(chat, message(2, { content: 'Okay' }))
  update(second)
  const first = await screen.findByText('okko: Okay')
  update(withMessage(second, message(3, { content: 'Okay' })))
  await waitFor(() => expect(announced()).not.toBe(first))
})

test('newer messages that couldn’t be loaded are asked for again by who reads on', async () => {
  let asked = 0
  show(opened(answer([1, 2], { revision: 9, hasNewer: true })), (address) => {
    if (address.includes('after=2')) asked += 1
    return Promise.reject(new TypeError('no network'))
  })
  await screen.findByText('We couldn’t load newer messages.')
  expect(asked).toBe(1)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(asked).toBe(2))
})
