import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../../lib/query.ts'
import { SessionProvider } from '../../../../lib/session.tsx'
import type { FeedMedia } from '../../api.ts'
import { WallTile } from './WallTile.tsx'

const LINK = '/files/media/one/1.signature/w320.webp'
const WAVE = {
  _id: 'one',
  versionId: 'first',
  type: 'image',
  url: LINK,
  title: 'Wave',
  widths: [],
  preview: '',
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a tile whose link is renewed loads its picture again and keeps the keyboard’s place', async () => {
  vi.stubGlobal('fetch', async () => Response.json(WAVE))
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <MemoryRouter>
          <WallTile media={WAVE as unknown as FeedMedia} onOpen={() => {}} />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>,
  )
  const button = screen.getByRole('button', { name: 'Wave' })
  const picture = button.querySelector('img') as HTMLImageElement
  button.focus()
  fireEvent.error(picture)
  await waitFor(() => {
    const fresh = button.ownerDocument.querySelector(`img[src="${LINK}"]`)
    expect([null, picture]).not.toContain(fresh)
  })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Wave' }))
})
