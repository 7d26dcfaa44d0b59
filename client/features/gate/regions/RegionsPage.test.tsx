import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { permissionsOf, type Role } from '../../../../contract/permissions.ts'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider, useSession } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { UnsavedChanges } from '../../../ui/UnsavedChanges.tsx'
import { Component } from './RegionsPage.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const Page = () => {
  const { loggedIn } = useSession()
  return (
    <>
      <UnsavedChanges />
      {loggedIn && <Component />}
    </>
  )
}

const wyoming = { country: 'US', code: 'WY', name: 'Wyoming', vpnHint: false, changed: null }
const utah = { ...wyoming, code: 'UT', name: 'Utah' }
const seats = (names: string[]) => names.map((name) => ({ name, telephone: '202-224-3121' }))
const SENATORS = [
  { code: 'TX', correctOn: '2026-11-21', senators: seats(['Ann Oak', 'Bob Elm']) },
  { code: 'OH', correctOn: '2026-11-21', senators: seats(['Cy Ash', 'Di Fir']) },
]

/** The page as somebody of this role sees it; of the server there is what is told here. */
async function shows(role: Role, answers: Record<string, () => Response> = {}): Promise<void> {
  writeToken(crypto.randomUUID())
  vi.stubGlobal('fetch', async (address: string) => {
    const [, answer] = Object.entries(answers).find(([path]) => address.endsWith(path)) ?? []
    if (answer) return answer()
    return address.includes('/auth/me')
      ? Response.json({ _id: 'me', username: 'sam', isCreator: false, permissions: permissionsOf(role) })
      : Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '/', element: <Page /> }])} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByText('Approve someone’s age')
}

/** What somebody of this role may do on the page. */
async function buttonsOf(role: Role): Promise<(string | null)[]> {
  await shows(role)
  return screen.getAllByRole('button').map(({ textContent }) => textContent)
}

test('support approves ages on the page, and changes no region', async () => {
  expect(await buttonsOf('support')).toEqual(['Find'])
  cleanup()
  expect(await buttonsOf('superadmin')).toContain('Add a region')
})

test('a region that is restricted already isn’t added again: its law may forbid the VPN hint', async () => {
  await shows('superadmin', { '/admin/regions': () => Response.json({ items: [wyoming] }) })
  const user = userEvent.setup()
  await screen.findByRole('button', { name: 'Change Wyoming' })
  await user.click(screen.getByRole('button', { name: 'Add a region' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Restrict a region' }))
  await user.type(dialog.getByLabelText(/Full name/), 'Wyoming')
  await user.type(dialog.getByLabelText(/^Code/), 'wy')
  await user.type(dialog.getByLabelText(/^Reason/), 'A new law')
  await user.click(dialog.getByRole('button', { name: 'Restrict' }))
  await dialog.findByText('This region is already restricted. Change it in the list.')
})

test('who removes a region that somebody else removed is told so, and the list is read again', async () => {
  const items = [utah, wyoming]
  await shows('superadmin', {
    '/admin/regions': () => Response.json({ items }),
    '/admin/regions/remove': () => {
      items.pop()
      return Response.json(
        { error: 'This region isn’t restricted.', code: 'region_not_found' },
        { status: 404 },
      )
    },
  })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Remove Wyoming' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Wyoming?' }))
  await user.type(dialog.getByLabelText(/^Reason/), 'Struck down')
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  await dialog.findByText('This region isn’t restricted.')
  expect(dialog.queryByRole('button', { name: 'Remove' })).toBeNull()
  await waitFor(() => expect(screen.queryByLabelText('Remove Wyoming')).toBeNull())
})

test('another state isn’t shown over senators that aren’t saved without a question', async () => {
  await shows('superadmin', { '/users/senators': () => Response.json({ items: SENATORS }) })
  const user = userEvent.setup()
  await user.selectOptions(screen.getByLabelText('State'), 'Texas')
  await user.type(await screen.findByLabelText(/Senator 1/), 's')
  await user.selectOptions(screen.getByLabelText('State'), 'Ohio')
  await user.click(await screen.findByRole('button', { name: 'Stay here' }))
  expect(screen.getByLabelText(/Senator 1/)).toHaveProperty('value', 'Ann Oaks')
  await user.selectOptions(screen.getByLabelText('State'), 'Ohio')
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  expect(await screen.findByDisplayValue('Cy Ash')).toBeTruthy()
})
