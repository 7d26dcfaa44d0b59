import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { answer, ME, OTHER } from '../cache/sample.ts'
import { type Chat, opened } from '../cache/timeline.ts'
import { MessageList } from './MessageList.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

function show(refusal: Chat['refusal']): void {
  writeToken('token')
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const client = createQueryClient()
  const me = { _id: ME, username: 'me', verifiedEmail: 'verified', isCreator: false }
  client.setQueryData([...meKey, 'token'], me)
  const nothing = () => {}
  const other = { _id: OTHER, username: 'okko', isCreator: true, profileImage: null }
  const acts = { onSeek: nothing, onRewrite: null, onHandle: nothing, onUnlock: null, onPay: null }
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <MemoryRouter>
          <MessageList
            recipientId={OTHER}
            chat={{ ...opened(answer([])), refusal }}
            other={other}
            sought={null}
            {...acts}
          />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>,
  )
}

test('a conversation without messages asks for one only where one can be written', async () => {
  show(null)
  await screen.findByText('Say hi to okko')
  cleanup()
  show({ error: 'Only followers can message this creator.', code: 'followers_only' })
  await screen.findByText('You can’t message okko')
  expect(screen.queryByText('Say hi to okko')).toBeNull()
})
