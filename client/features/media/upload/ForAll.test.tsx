import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { MAX_MEDIA_PER_BULK_CALL } from '../../../../contract/constants.ts'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import { ForAll } from './ForAll.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const mediaIds = Array.from(
  { length: MAX_MEDIA_PER_BULK_CALL + 1 },
  (_, number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
)
const subscription = { value: '00000000-0000-7000-8000-999999999999', label: 'Patrons' }

test('says what was changed before a failure, and goes on to the subscription once all of it is', async () => {
  const statuses = [200, 500]
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit = {}) => {
    if (!String(address).includes('bulkedit')) return Response.json({ items: [] })
    const { mediaIds } = JSON.parse(String(body)) as { mediaIds: string[] }
    const status = statuses.shift() ?? 200
    return status === 200
      ? Response.json({ items: mediaIds.map((_id) => ({ _id })) })
      : Response.json({ error: 'It didn’t work.', code: 'internal' }, { status })
  })
  const add = vi.fn(async () => undefined)
  const form = (
    <MantineScope>
      <ForAll mediaIds={mediaIds} coming={0} subscriptions={{ choices: [subscription], add }} />
    </MantineScope>
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: form }])} />
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('radio', { name: 'Private, to send via chat' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /subscription/i }), 'Patrons')
  const submit = screen.getByRole('button', { name: 'Apply to all' })
  await userEvent.click(submit)
  await screen.findByText(`It didn’t work. ${MAX_MEDIA_PER_BULK_CALL} items changed before that.`)
  expect(add).not.toHaveBeenCalled()
  await userEvent.click(submit)
  await waitFor(() => expect(add).toHaveBeenCalledWith(subscription.value, mediaIds))
})
