import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { SessionProvider } from '../../lib/session.tsx'
import { MantineScope } from '../../ui/theme/MantineScope.tsx'
import { ContactForm } from './ContactForm.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the case number has the focus once the message is sent, as the button stood far below it', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ success: true, caseNumber: 'C-MJRXZYA4' }))
  const page = (
    <MantineScope>
      <ContactForm />
    </MantineScope>
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element: page }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  await userEvent.type(screen.getByLabelText(/^Email/), 'stranger@example.test')
  await userEvent.type(screen.getByLabelText(/^Message/), 'Someone copies my photos.')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText(/C-MJRXZYA4/)
  expect(document.activeElement).toBe(screen.getByRole('status'))
})
