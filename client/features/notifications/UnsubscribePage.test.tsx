import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UNSUBSCRIBE_INVALID } from '../../../contract/unsubscribe-links.ts'
import { createQueryClient } from '../../lib/query.ts'
import { Component } from './UnsubscribePage.tsx'

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({}))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const SOMEBODY = '0194a3f2-7b1c-7d2e-8f30-a1b2c3d4e5f6'

test.each([
  ['gifts', 'Stop emails about gifts?'],
  ['digest', 'Stop all daily and weekly emails?'],
  ['now', 'Stop all emails that come right away? We’ll still email you about security and your payments.'],
])('a link that ends %s asks just that', (scope, question) => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={[`/unsubscribe?token=${SOMEBODY}.${scope}.signature`]}>
        <Component />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(screen.getByText(question)).toBeTruthy()
})

test.each([
  '',
  '..',
  'somebody.gifts.signature',
  `${SOMEBODY}.gifts`,
  `${SOMEBODY}.weather.signature`,
  '%ED%A0%80',
])('a link with “%s” says that it doesn’t work and what to do, and asks nothing', (token) => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={[`/unsubscribe?token=${token}`]}>
        <Component />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(screen.getByText(UNSUBSCRIBE_INVALID)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Notification settings' })).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
