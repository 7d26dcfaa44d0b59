import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAX_ATTACHMENTS } from '../../../../contract/constants.ts'
import { createQueryClient, roots } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { Toasts } from '../../../ui/Toasts.tsx'
import { DeliverDialog } from './DeliverDialog.tsx'

const ME = { _id: 'ada', username: 'ada', verifiedEmail: 'verified', isCreator: true }

beforeEach(() => writeToken('token'))
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

/** The dialog over a library of as many items as can be delivered; `answer` is the server's to a delivery. */
function open(answer: Promise<Response>) {
  const items = Array.from({ length: MAX_ATTACHMENTS }, (_, at) => ({
    ...{ _id: `item${at}`, versionId: 'first', type: 'image', title: `Item ${at}`, widths: [], preview: '' },
    url: '/files/media/item.webp',
  }))
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    if (method === 'POST') return answer
    return Response.json(address.includes('/auth/me') ? ME : { items, hasMore: false, nextCursor: null })
  })
  const onClose = vi.fn()
  const pageOf = (shown: boolean) => (
    <QueryClientProvider client={client}>
      <MantineProvider>
        <Toasts />
        <SessionProvider>{shown && <RouterProvider router={router} />}</SessionProvider>
      </MantineProvider>
    </QueryClientProvider>
  )
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  client.setQueryData(roots.config, { limits: { maxFileBytes: 1_000_000 } })
  const element = <DeliverDialog requestId="request" onClose={onClose} />
  const router = createMemoryRouter([{ path: '/', element }])
  const { rerender } = render(pageOf(true))
  return { onClose, leave: () => rerender(pageOf(false)) }
}

test.each([
  { answer: () => Response.json({ success: true }), said: 'Delivered. The fan can open it now.' },
  {
    answer: () => Response.json({ error: 'Not now.', code: 'request_changed' }, { status: 409 }),
    said: 'Not now.',
  },
])('a delivery says “$said” also where its dialog is gone by then', async ({ answer, said }) => {
  const sent = Promise.withResolvers<Response>()
  const { onClose, leave } = open(sent.promise)
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Item 0' }))
  await userEvent.click(screen.getByRole('button', { name: 'Deliver 1 item' }))
  // While it is sent, only what takes the request off the page ends the dialog.
  await userEvent.keyboard('{Escape}')
  expect(within(screen.getByRole('dialog')).queryByRole('button', { name: 'Close' })).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
  leave()
  sent.resolve(answer())
  await screen.findByText(said)
})

test('new files count together with what is chosen in the library', async () => {
  open(new Promise(() => {}))
  for (let at = 0; at < MAX_ATTACHMENTS; at++)
    await userEvent.click(await screen.findByRole('checkbox', { name: `Item ${at}` }))
  const file = new File(['x'], 'wave.png', { type: 'image/png' })
  await userEvent.upload(screen.getByLabelText('Upload Media', { selector: 'input' }), file)
  await screen.findByText(`You can deliver up to ${MAX_ATTACHMENTS} items.`)
  expect(screen.queryByText('wave.png')).toBeNull()
})

test('nothing of a delivery can be changed while it is sent', async () => {
  open(new Promise(() => {}))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Item 0' }))
  const deliver = screen.getByRole('button', { name: 'Deliver 1 item' })
  await userEvent.click(deliver)
  expect(deliver.dataset.loading).toBe('true')
  // It keeps the focus, which a disabled one would lose.
  expect(document.activeElement).toBe(deliver)
  const file = new File(['x'], 'wave.png', { type: 'image/png' })
  await userEvent.upload(screen.getByLabelText('Upload Media', { selector: 'input' }), file)
  expect(screen.queryByText('wave.png')).toBeNull()
  expect(screen.getByRole('button', { name: 'Upload Media' }).closest('fieldset')?.disabled).toBe(true)
  for (const name of ['Item 0', 'Item 1']) await userEvent.click(screen.getByRole('checkbox', { name }))
  expect(screen.getByRole('button', { name: 'Deliver 1 item' })).toBe(deliver)
})
