import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { viewerTexts as texts } from './texts.ts'
import ViewerWindow from './ViewerWindow.tsx'

afterEach(async () => {
  vi.useRealTimers()
  cleanup()
  // While it opens it can't go away; gone, it gives the focus back, which would be taken from what comes after this file.
  await waitFor(() => expect(document.querySelector('.pswp')).toBeNull())
  history.replaceState(null, '', '/')
})

/** Longer than an item has to be shown to count as moved to, in milliseconds. */
const A_WHILE = 1000

test('a move that comes while the viewer goes away is not told, as it would open it again', async () => {
  const items = ['First', 'Second', 'Third'].map((title) => ({
    _id: title,
    title,
    username: 'ada',
    locked: true,
  }))
  const onMove = vi.fn()
  const viewer = (
    <SessionProvider>
      <ViewerWindow items={items as never} startId="First" onClose={() => {}} onMove={onMove} />
    </SessionProvider>
  )
  history.replaceState(null, '', '/?view=First')
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: viewer }])} />
    </QueryClientProvider>,
  )
  await screen.findByText('First')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const leafs = (title: string) => {
    fireEvent.click(screen.getByTitle(texts.next))
    screen.getByText(title)
  }
  leafs('Second')
  vi.advanceTimersByTime(A_WHILE)
  expect(onMove.mock.calls).toEqual([['Second']])
  leafs('Third')
  history.replaceState(null, '', '/')
  vi.advanceTimersByTime(A_WHILE)
  expect(onMove.mock.calls).toEqual([['Second']])
})
