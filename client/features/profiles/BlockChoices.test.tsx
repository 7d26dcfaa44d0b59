import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '../../lib/query.ts'
import BlockMenu from './BlockMenu.tsx'

afterEach(cleanup)

test('who blocks somebody is told first that subscriptions between the two won’t renew', async () => {
  const profile = { _id: 'fan', username: 'finn' }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <BlockMenu profile={profile} onSuspend={undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Block finn' }))
  const dialog = await screen.findByRole('dialog', { name: 'Block finn?' })
  expect(dialog.textContent).toContain('subscriptions between you won’t renew while they’re blocked')
})
