import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { roots } from '../../../lib/query.ts'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import { accountsQuery, type ForumAccount } from '../parts/api.ts'
import { Component } from './AccountsPage.tsx'

afterEach(cleanup)

function shows(account: Partial<ForumAccount>) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(roots.config, {
    brand: { name: 'Fanfare' },
    forum: { name: 'Reddit', available: true },
  })
  const usual = {
    ...{ _id: '01890000-0000-7000-8000-000000000001', name: 'Meadow', status: 'connected' as const },
    ...{ stoppedBy: null, connectedAt: '2026-01-01T00:00:00.000Z', scheduledPosts: 0, slots: 0 },
  }
  client.setQueryData(accountsQuery.queryKey, { items: [{ ...usual, ...account }] })
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <MantineScope>
          <Component />
        </MantineScope>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('an account that the forum stopped is said to be stopped, and leads to where posting is resumed', () => {
  shows({ stoppedBy: 'forum' })
  expect(screen.queryByText('Connected')).toBeNull()
  expect(screen.getByText('Stopped by the forum')).toBeDefined()
  const link = screen.getByRole('link', { name: 'Your timeline, to resume posting as u/Meadow' })
  expect(link.getAttribute('href')).toBe('/dashboard/timeline')
})

test('one that has to be connected again is said to be that alone, also where it was stopped', () => {
  shows({ status: 'revoked', stoppedBy: 'forum' })
  expect(screen.getByText('Not connected')).toBeDefined()
  expect(screen.queryByText('Stopped by the forum')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
})
