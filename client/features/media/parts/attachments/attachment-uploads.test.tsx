import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { mediaErrors } from '../../../../../contract/errors/media.ts'
import { createQueryClient } from '../../../../lib/query.ts'
import { SessionProvider, useSession } from '../../../../lib/session.tsx'
import { writeToken } from '../../../../lib/token.ts'
import { useAttachmentUploads } from './attachment-uploads.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

test('a file for a message may be as large as the operator allows, and no larger', async () => {
  const asked: string[] = []
  writeToken(crypto.randomUUID())
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    return address.endsWith('/config')
      ? Response.json({ limits: { maxFileBytes: 10 } })
      : Response.json({ _id: 'fan', permissions: [] })
  })
  const client = createQueryClient()
  const OnceLoggedIn = ({ children }: { children: ReactNode }) => useSession().loggedIn && children
  const { result } = renderHook(useAttachmentUploads, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>
        <SessionProvider>
          <OnceLoggedIn>{children}</OnceLoggedIn>
        </SessionProvider>
      </QueryClientProvider>
    ),
  })
  await waitFor(() => expect(result.current?.maxBytes).toBe(10))
  act(() => {
    result.current.uploads.choose([new File(['eleven byte'], 'large.png')], result.current.maxBytes)
  })
  expect(result.current.all).toMatchObject([
    { state: 'failed', status: mediaErrors.media_too_large.text, canRetry: false },
  ])
  expect(asked.filter((address) => address.includes('/media/'))).toEqual([])
})
