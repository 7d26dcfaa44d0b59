import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { roots } from '../../../lib/query.ts'
import { ConnectPrompt } from './ConnectPrompt.tsx'

afterEach(cleanup)

/** Shows the prompt on a site with or without a forum. */
function prompts(available: boolean) {
  const client = new QueryClient()
  client.setQueryData(roots.config, { forum: { name: 'Reddit', available } })
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ConnectPrompt />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('a creator is led to connect an account', () => {
  prompts(true)
  expect(screen.getByRole('link', { name: 'Connect an account' })).toBeDefined()
})

test('a site without a forum says so, and offers nothing to connect', () => {
  prompts(false)
  expect(screen.queryByRole('link')).toBeNull()
  expect(
    screen.getByText('Reddit isn’t set up on this site, so there’s no account to connect.'),
  ).toBeDefined()
})
