import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { answer, ME, message, OTHER } from '../cache/sample.ts'
import { type Chat, opened, withMessage } from '../cache/timeline.ts'
import { MessageList } from './MessageList.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

/** Shows a conversation; answers what shows it as it is later. */
function show(chat: Chat): (later: Chat) => void {
  writeToken('token')
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const client = createQueryClient()
  const me = { _id: ME, username: 'me', verifiedEmail: 'verified', isCreator: false }
  client.setQueryData([...meKey, 'token'], me)
  const nothing = () => {}
  const other = { _id: OTHER, username: 'okko', isCreator: true, profileImage: null }
  const acts = { onSeek: nothing, onRewrite: null, onHandle: nothing, onUnlock: null, onPay: null }
  const shown = (now: Chat) => (
    <QueryClientProvider client={client}>
      <SessionProvider>
        <MemoryRouter>
          <MessageList recipientId={OTHER} chat={now} other={other} sought={null} {...acts} />
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
