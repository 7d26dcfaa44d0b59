import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import LibraryPicker from './LibraryPicker.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const [EXPIRED, FRESH] = [
  '/files/media/wave/1.signature/file.webp',
  '/files/media/wave/2.signature/file.webp',
]
const WAVE = { _id: 'wave', versionId: 'first', type: 'image', title: 'Wave', widths: [], preview: '' }

test('a picture whose link has expired comes by a new one, which is what is attached', async () => {
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(
      address.includes('managemedia')
        ? { items: [{ ...WAVE, url: EXPIRED }], hasMore: false, nextCursor: null }
        : { ...WAVE, url: FRESH },
    ),
  )
  const onAttach = vi.fn()
  const element = <LibraryPicker opened most={3} attached={[]} onClose={() => {}} onAttach={onAttach} />
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const box = await screen.findByRole('checkbox', { name: 'Wave' })
  const picture = (link: string) => box.ownerDocument.querySelector(`img[src="${link}"]`)
  fireEvent.error(picture(EXPIRED) as Element)
  await waitFor(() => expect(picture(FRESH)).not.toBeNull())
  await userEvent.click(box)
  await userEvent.click(screen.getByRole('button', { name: 'Attach 1 item' }))
  expect(onAttach.mock.calls).toMatchObject([[[{ _id: 'wave', url: FRESH }]]])
})
