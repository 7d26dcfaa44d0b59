import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { writeToken } from '../../../lib/token.ts'
import { hasUnsent, openUnsent, readDraft, useDraft, writeDraft } from './unsent.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
})

test('drafts and unsent messages go with the log-out, also on a page that sends nothing', () => {
  writeToken('token')
  writeDraft('me', 'them', 'Half a thought')
  const message = {
    clientMessageId: 'one',
    recipientId: 'them',
    conversationId: 'conversation',
    content: 'Hello',
    replyTo: null,
    uploadKeys: [],
    mediaIds: [],
    price: null,
    createdAt: new Date(0).toISOString(),
    state: 'waiting' as const,
    error: null,
    notBefore: null,
  }
  openUnsent('me').write([message])
  // Another login of the same person takes nothing away.
  writeToken('another')
  expect([readDraft('me', 'them'), hasUnsent('me')]).toEqual(['Half a thought', true])
  writeToken(null)
  expect([readDraft('me', 'them'), hasUnsent('me')]).toEqual(['', false])
})

test('what was sent with files on their way is no draft, and what is typed next is', () => {
  const { result } = renderHook(() => useDraft('me', 'them'))
  act(() => writeDraft('me', 'them', 'Look at this'))
  expect(result.current).toBe('Look at this')
  act(() => writeDraft('me', 'them', 'Look at this', true))
  // It stays, in case the page is closed.
  expect([result.current, readDraft('me', 'them')]).toEqual(['', 'Look at this'])
  act(() => writeDraft('me', 'them', 'And'))
  expect(result.current).toBe('And')
})
