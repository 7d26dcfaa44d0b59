import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { MAX_MEDIA_PER_BULK_CALL } from '../../../../../contract/constants.ts'
import type { SelectedMedia } from '../api.ts'
import { BulkForm } from './BulkForm.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const items = Array.from({ length: MAX_MEDIA_PER_BULK_CALL + 1 }, (_, number) => ({
  _id: id(number),
  price: '$4',
})) as SelectedMedia[]

test('what was changed before a failure is told at once, and the rest once it is tried again', async () => {
  const refusals = [null, 500]
  vi.stubGlobal('fetch', async (_address: string, { body }: RequestInit) => {
    const { mediaIds, price } = JSON.parse(String(body)) as { mediaIds: string[]; price: string }
    const status = refusals.shift()
    if (status) return Response.json({ error: 'It didn’t work.', code: 'internal' }, { status })
    return Response.json({ items: mediaIds.map((_id) => ({ _id, price })) })
  })
  const onChanged = vi.fn()
  const onDone = vi.fn()
  const form = (
    <BulkForm
      items={items}
      onChanged={onChanged}
      onDone={onDone}
      initial={{ price: '$9' }}
      changeOf={({ price }) => ({ price })}
    >
      {() => null}
    </BulkForm>
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: form }])} />
    </QueryClientProvider>,
  )
  const told = () => onChanged.mock.calls.flatMap(([fresh]) => fresh as SelectedMedia[])
  const submit = () => userEvent.click(screen.getByRole('button'))
  await submit()
  await screen.findByText(/It didn’t work/)
  expect(told()).toEqual(items.slice(0, -1).map(({ _id }) => ({ _id, price: '$9' })))
  expect(onDone).not.toHaveBeenCalled()
  await submit()
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(told().at(-1)).toEqual({ _id: items.at(-1)?._id, price: '$9' })
})
