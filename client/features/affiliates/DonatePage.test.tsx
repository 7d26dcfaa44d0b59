import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SessionProvider } from '../../lib/session.tsx'
import { forgetWish, keptWish } from '../../lib/wish.ts'
import { Component as DonatePage } from './DonatePage.tsx'

let donations: () => Response

beforeEach(() => {
  vi.stubGlobal('fetch', async (address: string) => {
    const path = address.split('?')[0]?.replace('/api', '') ?? ''
    if (path === '/donate') return donations()
    if (path === '/config')
      return Response.json({
        brand: { name: 'Fanfare', forumAccount: 'fanfare' },
        forum: { name: 'the forum' },
      })
    return Response.json({ error: 'No one is logged in.', code: 'unauthenticated' }, { status: 401 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open() {
  const router = createMemoryRouter([{ path: '*', element: <DonatePage /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('what couldn’t be loaded is said, and can be tried again', async () => {
  donations = () => Response.json({ error: 'It didn’t work.', code: 'internal' }, { status: 500 })
  open()
  expect(await screen.findByText('We couldn’t check whether tips are open')).toBeDefined()
  donations = () => Response.json({ taken: true, own: false })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Sign up to send a tip' })).toBeDefined()
})

test('a visitor can log in as well as sign up', async () => {
  donations = () => Response.json({ taken: true, own: false })
  open()
  const login = await screen.findByRole('link', { name: 'Log in' })
  expect(login.getAttribute('href')).toBe('/login')
})

test('who signs up to send a tip is known to want that, which the sign-up form takes for no creator', async () => {
  donations = () => Response.json({ taken: true, own: false })
  open()
  await userEvent.click(await screen.findByRole('link', { name: 'Sign up to send a tip' }))
  expect(keptWish()).toMatchObject({ label: 'Send a tip to Fanfare', path: '/donate' })
  forgetWish()
})

test('whose account stands on the tips reads that before they choose one', async () => {
  donations = () => Response.json({ taken: true, own: true })
  open()
  await screen.findByText('Tips go to the site you run, so you can’t send one from this account.')
  expect(screen.queryByRole('link', { name: 'Sign up to send a tip' })).toBeNull()
})
