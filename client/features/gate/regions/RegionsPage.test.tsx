import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { permissionsOf, type Role } from '../../../../contract/permissions.ts'
import { SessionProvider, useSession } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { Component } from './RegionsPage.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const Page = () => useSession().loggedIn && <Component />

/** What somebody of this role may do on the page. */
async function buttonsOf(role: Role): Promise<(string | null)[]> {
  writeToken(crypto.randomUUID())
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('/auth/me')
      ? Response.json({ _id: 'me', username: 'sam', isCreator: false, permissions: permissionsOf(role) })
      : Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 }),
  )
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '/', element: <Page /> }])} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByText('Approve someone’s age')
  return screen.getAllByRole('button').map(({ textContent }) => textContent)
}

test('support approves ages on the page, and changes no region', async () => {
  expect(await buttonsOf('support')).toEqual(['Find'])
  cleanup()
  expect(await buttonsOf('superadmin')).toContain('Add a region')
})
