import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import AskDialog from './AskDialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a request is sent under the same key again while no answer came', async () => {
  const keys: (string | null)[] = []
  vi.stubGlobal('fetch', (_address: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get('idempotency-key'))
    return Promise.reject(new TypeError('no network'))
  })
  const creator = { _id: '00000000-0000-4000-8000-000000000001', username: 'okko', firstName: 'Okko' }
  const element = <AskDialog creator={creator} onClose={() => {}} />
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  await userEvent.type(await screen.findByLabelText(/What would you like/), 'A song')
  await userEvent.type(screen.getByLabelText(/minutes/i), '3')
  const send = screen.getByRole('button', { name: 'Send request' })
  await userEvent.click(send)
  await vi.waitFor(() => expect(keys).toHaveLength(1))
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''))
  await userEvent.click(send)
  await vi.waitFor(() => expect(keys).toHaveLength(2))
  expect(keys[0]).toMatch(/^\w{8,}$/)
  expect(keys[1]).toBe(keys[0])
})
