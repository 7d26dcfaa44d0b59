import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { roots } from '../../../lib/query.ts'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import { accountsQuery, type ForumAccount } from './api.ts'
import { ConnectPrompt } from './ConnectPrompt.tsx'
import { Reconnect } from './ReconnectNotice.tsx'

afterEach(cleanup)

const account = (name: string, status: ForumAccount['status']): ForumAccount => ({
  _id: `01890000-0000-7000-8000-00000000000${name.length}`,
  name,
  status,
  stoppedBy: null,
  connectedAt: '2026-01-01T00:00:00.000Z',
  scheduledPosts: 0,
  slots: 0,
})

/** Shows something on a site with or without a forum, to somebody with these accounts. */
function shows(part: React.ReactNode, { available = true, accounts = [] as ForumAccount[] } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(roots.config, { forum: { name: 'Reddit', available } })
  client.setQueryData(accountsQuery.queryKey, { items: accounts })
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <MantineScope>{part}</MantineScope>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('a creator connects an account with one button', () => {
  shows(<ConnectPrompt />)
  expect(screen.getByRole('button', { name: 'Connect an account' })).toBeDefined()
  expect(screen.queryByRole('link')).toBeNull()
})

test('a site without a forum says so, and offers nothing to connect', () => {
  shows(<ConnectPrompt />, { available: false })
  expect(screen.queryByRole('button')).toBeNull()
  expect(
    screen.getByText('Reddit isn’t set up on this site, so there’s no account to connect.'),
  ).toBeDefined()
})

test('who had an account is asked to connect it again, by the prompt only where nothing else does', () => {
  const accounts = [account('MeadowMaker', 'revoked')]
  shows(<ConnectPrompt />, { accounts })
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  shows(<ConnectPrompt reconnects />, { accounts })
  expect(screen.getByText(/no longer accepts u\/MeadowMaker\./)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Connect again' })).toBeDefined()
})

test('of several accounts those are named that have to be connected again', () => {
  shows(<Reconnect accounts={[account('One', 'revoked'), account('Other', 'connected')]} />)
  expect(screen.getByText(/no longer accepts u\/One\./)).toBeDefined()
  cleanup()
  shows(<Reconnect accounts={[account('Other', 'connected')]} />)
  expect(screen.queryByRole('button')).toBeNull()
})
