import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query.ts'
import { Component } from './UnsubscribePage.tsx'

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({}))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test.each([
  ['gifts', 'Stop emails about gifts?'],
  ['digest', 'Stop all daily and weekly emails?'],
  ['now', 'Stop all emails that come right away? We’ll still email you about security and your payments.'],
])('a link that ends %s asks just that', (scope, question) => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={[`/unsubscribe?token=somebody.${scope}.signature`]}>
        <Component />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(screen.getByText(question)).toBeTruthy()
})
