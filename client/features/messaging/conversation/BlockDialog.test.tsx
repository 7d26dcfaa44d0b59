import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import type { Participant } from '../cache/timeline.ts'
import BlockDialog from './BlockDialog.tsx'

afterEach(cleanup)

test('who blocks somebody is told first that subscriptions between the two won’t renew', async () => {
  const person = { _id: 'fan', username: 'finn' } as Participant
  render(
    <QueryClientProvider client={createQueryClient()}>
      <BlockDialog person={person} opened onClose={() => {}} />
    </QueryClientProvider>,
  )
  const dialog = await screen.findByRole('dialog', { name: 'Block finn?' })
  expect(dialog.textContent).toContain('subscriptions between you won’t renew while they’re blocked')
})
