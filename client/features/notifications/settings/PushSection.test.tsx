import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider, useSession } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { PushSection } from './PushSection.tsx'

beforeEach(() => {
  writeToken('token')
  vi.stubGlobal('fetch', async () =>
    Response.json({ _id: 'fan', verifiedEmail: 'verified', permissions: [] }),
  )
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { permission: 'default' })
  Object.defineProperty(navigator, 'serviceWorker', { value: {}, configurable: true })
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** The section once it is known who is logged in. */
function Section({ showMessageText }: { showMessageText: boolean }) {
  const { currentUser } = useSession()
  const push = { publicKey: 'key', here: false, others: 0 }
  return currentUser && <PushSection push={push} showMessageText={showMessageText} />
}

test.each([
  [false, true],
  [true, false],
])('where message text is shown (%s), it is promised that push has none: %s', async (showsText, promises) => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <Section showMessageText={showsText} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  const about = await screen.findByText(/Get notified on this device/)
  expect(about.textContent?.includes('don’t include names or message text')).toBe(promises)
})
