import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { roots } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { MediaDetail } from './MediaDetail.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const MARA = { _id: 'mara', username: 'mara', permissions: [] }
const TAKEN_DOWN = {
  ...{ _id: 'lake', creatorId: 'mara', username: 'mara', type: 'image', title: 'A lake', description: '' },
  ...{ url: null, poster: null, stream: null, widths: [], redGif: '', price: '$5', duration: null },
  ...{ width: 4, height: 3, preview: '', locked: true, owned: false, tagIds: [], performerIds: [] },
  ...{ showInStore: true, takenDownAt: '2026-11-21T12:00:00Z', takenDownReason: 'It breaks our terms.' },
}
const CREATOR = {
  _id: 'mara',
  username: 'mara',
  firstName: 'Mara',
  profileImage: null,
  links: [],
  erasedAt: null,
}

test('who opens their own item that was taken down reads why and can appeal, and isn’t asked to buy it', async () => {
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(
      address.includes('viewmedia')
        ? { media: TAKEN_DOWN, versions: [], creator: CREATOR, unlocks: [] }
        : MARA,
    ),
  )
  writeToken(crypto.randomUUID())
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(roots.config, { brand: { name: 'Fanfare' } })
  const nothing = () => {}
  const element = <MediaDetail mediaId="lake" onBuy={nothing} onUnlock={nothing} />
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  await screen.findByText('It breaks our terms.')
  const appeal = await screen.findByRole('link', { name: 'Appeal' })
  expect(appeal.getAttribute('href')).toBe('/contact?appeal=%2Fmedia%2Flake')
  expect(screen.queryByText('Unlock this photo')).toBeNull()
  expect(screen.queryByRole('button', { name: /Buy/ })).toBeNull()
})
