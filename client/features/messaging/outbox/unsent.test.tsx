import { afterEach, expect, test } from 'vitest'
import { writeToken } from '../../../lib/token.ts'
import { hasUnsent, openUnsent, readDraft, writeDraft } from './unsent.ts'

afterEach(() => writeToken(null))

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
