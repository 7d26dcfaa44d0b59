import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import { mediaQuery } from '../api.ts'
import { FinishedMedia } from './FinishedMedia.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a title that was typed stays when its item can’t be asked for again', async () => {
  let refused = false
  const item = { _id: 'one', type: 'photo', title: 'wave', price: '', widths: [], url: null, creatorId: 'me' }
  vi.stubGlobal('fetch', async () =>
    refused
      ? Response.json({ error: 'Log in first.', code: 'not_authenticated' }, { status: 401 })
      : Response.json(item),
  )
  const client = createQueryClient()
  const finished = (
    <MantineScope>
      <FinishedMedia mediaId="one" fileName="wave.jpg" sells={false} />
    </MantineScope>
  )
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element: finished }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  const title = await screen.findByLabelText<HTMLInputElement>('Title')
  const user = userEvent.setup()
  await user.clear(title)
  await user.type(title, 'Half a sen')
  refused = true
  await client.invalidateQueries({ queryKey: mediaQuery('one').queryKey })
  await waitFor(() => expect(client.getQueryState(mediaQuery('one').queryKey)?.status).toBe('error'))
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Half a sen')
})
