import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
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

function show() {
  writeToken(crypto.randomUUID())
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(roots.config, { brand: { name: 'Fanfare' } })
  const nothing = () => {}
  const element = <MediaDetail mediaId="lake" onBuy={nothing} onUnlock={nothing} />
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('the operator ends a review by another reason, from what is told of it now', async () => {
  const sent: unknown[] = []
  const operator = { _id: 'operator', username: 'operator', permissions: ['media.quarantine'] }
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (address.includes('/admin/media/takedown'))
      return Response.json({
        takedown: { ground: 'copyright', note: 'Whose is it?', blockFile: true },
        copies: {
          count: 4,
          items: [
            { _id: 'copy', title: 'Lake', username: 'ada', isDown: false, isDeleted: false },
            { _id: 'gone', title: '', username: 'bo', isDown: false, isDeleted: true },
            { _id: 'down', title: '', username: 'bo', isDown: true, isDeleted: true },
          ],
        },
      })
    if (address.includes('/admin/media/quarantine')) {
      sent.push(JSON.parse(String(init?.body)))
      return Response.json({ success: true })
    }
    return Response.json(
      address.includes('viewmedia')
        ? { media: TAKEN_DOWN, versions: [], creator: CREATOR, unlocks: [] }
        : operator,
    )
  })
  show()
  expect(await screen.findByRole('button', { name: 'Release this media' })).not.toBeNull()
  fireEvent.click(await screen.findByRole('button', { name: 'Change the reason' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change the reason?' }))
  fireEvent.change(await dialog.findByLabelText(/Internal reason/), { target: { value: 'Decided' } })
  dialog.getByText('There are 4 other items with the same file. Each has a takedown of its own:')
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Lake by @ada',
    'Untitled by @bo · Deleted',
    'Untitled by @bo · Taken down',
    '1 more',
  ])
  expect(dialog.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    ...['/media/copy', '/users/ada', '/users/bo', '/media/down', '/users/bo'],
  ])
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent).toMatchObject([
      { mediaId: 'lake', ground: 'copyright', note: 'Whose is it?', blockFile: true, reason: 'Decided' },
    ]),
  )
})

test('who opens their own item that was taken down reads why and can appeal, and isn’t asked to buy it', async () => {
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(
      address.includes('viewmedia')
        ? { media: TAKEN_DOWN, versions: [], creator: CREATOR, unlocks: [] }
        : MARA,
    ),
  )
  show()
  await screen.findByText('It breaks our terms.')
  const appeal = await screen.findByRole('link', { name: 'Appeal' })
  expect(appeal.getAttribute('href')).toBe('/contact?appeal=%2Fmedia%2Flake')
  expect(screen.queryByText('Unlock this photo')).toBeNull()
  expect(screen.queryByRole('button', { name: /Buy/ })).toBeNull()
})

test('who follows a takedown’s notification to an item that they deleted reads what happened, and can appeal', async () => {
  const gone = {
    ...{ error: 'We couldn’t find this media.', code: 'media_not_found' },
    details: { takedown: 'It breaks our Terms of Service.' },
  }
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('viewmedia') ? Response.json(gone, { status: 404 }) : Response.json(MARA),
  )
  show()
  await screen.findByText('This media was taken down and deleted')
  screen.getByText('It breaks our Terms of Service.')
  const appeal = screen.getByRole('link', { name: 'Appeal' })
  expect(appeal.getAttribute('href')).toBe('/contact?appeal=%2Fmedia%2Flake')
})
