import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toast } from '../../../ui/toast.ts'
import { FanDialog } from './FanDialog.tsx'

const fan = {
  ...{ _id: 'fan', username: 'finn', profileImage: null, isCreator: false, since: null, follows: true },
  ...{ subscription: 'none', spent: '$0', listIds: [], note: '' },
}
const lists = ['Regulars', 'Newcomers'].map((name) => ({ _id: name, name, members: 0 }))

// What grows with its text listens to the document's fonts, which happy-dom has not.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

/** Lets the answer of the first list go. */
let answer: () => void
let asked: string[]

beforeEach(() => {
  asked = []
  const gate = new Promise<void>((resolve) => {
    answer = resolve
  })
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    if (address.includes('/fanlists')) return Response.json({ items: lists })
    if (!address.includes('/members')) return Response.json(fan)
    const { listId } = JSON.parse(String(body))
    asked.push(listId)
    if (listId === 'Newcomers') return Response.json({ success: true })
    await gate
    return Response.json({ error: 'This list was deleted.', code: 'fan_list_not_found' }, { status: 404 })
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a list that couldn’t be changed is said to be, also where another one was changed meanwhile', async () => {
  const failure = vi.spyOn(toast, 'failure').mockReturnValue()
  const dialog = <FanDialog person={{ _id: 'fan', username: 'finn' }} onClose={() => {}} />
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: dialog }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })
  for (const name of ['Regulars', 'Newcomers']) await userEvent.click(await box(name))
  await waitFor(() => expect(asked).toEqual(['Regulars', 'Newcomers']))
  answer()
  await waitFor(() => expect(failure).toHaveBeenCalledWith('This list was deleted.'))
  expect((await box('Regulars')).checked).toBe(false)
  expect((await box('Newcomers')).checked).toBe(true)
})
