import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { UnsavedChanges } from '../../../ui/UnsavedChanges.tsx'
import { chatSettingsQuery } from '../api.ts'
import ChatSettingsDialog from './ChatSettingsDialog.tsx'

afterEach(cleanup)

test('closing the message settings asks before a welcome message that was typed is lost', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(chatSettingsQuery.queryKey, { audience: 'everyone', welcomeMessage: '' })
  const element = (
    <>
      <ChatSettingsDialog opened onClose={() => {}} />
      <UnsavedChanges />
    </>
  )
  render(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText('Welcome message'), 'Lovely that you’re here')
  await user.keyboard('{Escape}')
  await screen.findByText('Your changes to your message settings aren’t saved.')
  await user.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Welcome message').value).toBe('Lovely that you’re here')
})
