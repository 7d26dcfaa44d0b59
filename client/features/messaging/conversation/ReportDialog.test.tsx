import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import ReportDialog from './ReportDialog.tsx'

afterEach(cleanup)

test('closing asks before what was typed of a message is lost', async () => {
  const onClose = vi.fn()
  const element = <ReportDialog messageId="message" opened onClose={onClose} />
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText('What’s wrong?'), 'This is spam')
  await user.keyboard('{Escape}')
  await screen.findByText('Your report hasn’t been sent yet.')
  expect(onClose).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(screen.getByLabelText<HTMLTextAreaElement>('What’s wrong?').value).toBe('This is spam')
})
