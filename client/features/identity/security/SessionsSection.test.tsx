import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionsSection } from './SessionsSection.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the session that is looking is active now, whenever the server last wrote it down', async () => {
  const session = { createdAt: '2026-11-01T09:00:00.000Z', lastSeenAt: '2026-11-20T09:00:00.000Z' }
  const items = [
    { ...session, _id: 'own', device: 'Chrome on Windows', current: true },
    { ...session, _id: 'other', device: 'Safari on iPhone', current: false },
  ]
  vi.stubGlobal('fetch', async () => Response.json({ items }))
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionsSection />
    </QueryClientProvider>,
  )
  const [own, other] = await screen.findAllByRole('listitem')
  expect(own?.textContent).toContain('Active now')
  expect(own?.textContent).not.toContain('Last seen')
  expect(other?.textContent).toContain('Last seen Nov 20, 2026')
})
