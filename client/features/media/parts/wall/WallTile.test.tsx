import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../../lib/query.ts'
import { SessionProvider } from '../../../../lib/session.tsx'
import type { FeedMedia } from '../../api.ts'
import { tileTexts } from '../tile/texts.ts'
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

function shows(media: object) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <MemoryRouter>
          <WallTile media={media as unknown as FeedMedia} onOpen={() => {}} />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>,
  )
}

test('a tile whose link is renewed loads its picture again and keeps the keyboard’s place', async () => {
  vi.stubGlobal('fetch', async () => Response.json(WAVE))
  shows(WAVE)
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

test('a tile whose picture couldn’t be read is loaded again once there is a connection', async () => {
  let isOnline = false
  const answer = async () =>
    isOnline
      ? Response.json(WAVE)
      : new Response(JSON.stringify({ error: 'No', code: 'not_found' }), { status: 404 })
  vi.stubGlobal('fetch', vi.fn(answer))
  shows(WAVE)
  const button = screen.getByRole('button')
  fireEvent.error(button.querySelector('img') as HTMLImageElement)
  await screen.findByText(tileTexts.error)
  await waitFor(() => expect(fetch).toHaveBeenCalled())
  await vi.waitFor(() => {
    isOnline = true
    fireEvent(window, new Event('online'))
    expect(button.querySelector(`img[src="${LINK}"]`)).not.toBeNull()
  })
})
