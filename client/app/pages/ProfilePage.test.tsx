import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query.ts'
import { SessionProvider } from '../../lib/session.tsx'
import { Component } from './ProfilePage.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const MARA = {
  ...{ _id: 'mara', username: 'mara', firstName: 'Mara', isCreator: true, bio: '', menu: '', limits: '' },
  ...{ profileImage: null, profileHeroImage: null, links: [], photoCount: 3, followerCount: 0 },
  ...{ subscriptionCount: 0, bundleCount: null, singleCount: null, sells: null },
}

/** Opens Mara's profile at this address; the kinds of media that were asked for, `null` for all of them. */
function opens(address: string, { videoCount = 2, sells = null as string | null } = {}) {
  const asked: (string | null)[] = []
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  vi.stubGlobal('fetch', async (path: string) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    if (pathname.endsWith('/mara')) return Response.json({ ...MARA, videoCount, sells })
    if (pathname.endsWith('/config') || pathname.endsWith('/age'))
      return Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
    if (pathname.endsWith('/media/profile')) asked.push(searchParams.get('type'))
    return Response.json({ items: [], subscriptions: [], bundles: [], hasMore: false, nextCursor: null })
  })
  history.replaceState(null, '', address)
  const router = createBrowserRouter([{ path: '/users/:username', element: <Component /> }])
  render(
    <MantineProvider>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { asked, search: () => router.state.location.search }
}

test('a profile shows the kind of media that its address names, and the address follows', async () => {
  const { asked, search } = opens('/users/mara?show=videos')
  const button = (name: string) => screen.findByRole('button', { name })
  expect((await button('Videos')).getAttribute('aria-pressed')).toBe('true')
  await waitFor(() => expect(asked).toEqual(['video']))
  await userEvent.click(await button('Photos'))
  await waitFor(() => expect(asked).toEqual(['video', 'image']))
  expect(search()).toBe('?show=photos')
  await userEvent.click(await button('All'))
  await waitFor(() => expect(asked).toEqual(['video', 'image', null]))
  expect(search()).toBe('')
})

test('a tab that is chosen before the chosen kind of media is drawn adds to it', async () => {
  const { search } = opens('/users/mara')
  const photos = await screen.findByRole('button', { name: 'Photos' })
  const bundles = screen.getByRole('tab', { name: /^Bundles/ })
  // Nothing is drawn within.
  await act(async () => {
    photos.click()
    await vi.waitFor(() => expect(search()).toBe('?show=photos'))
    bundles.click()
  })
  await waitFor(() => expect(search()).toBe('?show=photos&tab=bundles'))
})

test('where there are only photos an address that names videos shows them all the same', async () => {
  const { asked } = opens('/users/mara?show=videos', { videoCount: 0 })
  await waitFor(() => expect(asked).toEqual([null]))
  expect(screen.queryByRole('button', { name: 'Videos' })).toBeNull()
})

test('a profile opens on the first tab that has something, unless its address names one', async () => {
  const selected = async () => (await screen.findByRole('tab', { selected: true })).textContent
  const { search } = opens('/users/mara', { sells: 'singles' })
  expect(await selected()).toMatch(/^Singles/)
  await userEvent.click(screen.getByRole('tab', { name: /^Subscriptions/ }))
  expect(search()).toBe('?tab=subscriptions')
  await userEvent.click(screen.getByRole('tab', { name: /^Singles/ }))
  expect(search()).toBe('')
  cleanup()
  opens('/users/mara?tab=bundles', { sells: 'singles' })
  expect(await selected()).toMatch(/^Bundles/)
  cleanup()
  opens('/users/mara')
  expect(await selected()).toMatch(/^Subscriptions/)
})
