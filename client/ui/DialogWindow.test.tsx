import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { route } from '../../contract/route.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Button } from './core/Button.tsx'
import { Dialog } from './Dialog.tsx'
import { TextField } from './fields/Field.tsx'
import { ContractForm, useContractForm } from './forms/ContractForm.tsx'
import { UnsavedChanges } from './UnsavedChanges.tsx'

const stay = route({
  method: 'POST',
  path: '/stay',
  summary: 'Books a stay.',
  access: 'user',
  body: z.object({ guest: z.string() }),
  output: z.object({}),
})

type Booking = { lost: string | null; send: () => Promise<unknown> }

function BookingForm({ lost, send }: Booking) {
  const form = useContractForm(stay, { initial: { guest: '' }, send, lost })
  return (
    <ContractForm form={form}>
      <TextField label="Guest" {...form.field('guest')} />
      <Button type="submit" loading={form.pending}>
        Book
      </Button>
    </ContractForm>
  )
}

function Page(booking: Booking) {
  const [opened, setOpened] = useState(false)
  const [confirming, setConfirming] = useState(false)
  return (
    <>
      <Button onClick={() => setOpened(true)}>Open</Button>
      <Dialog opened={confirming} onClose={() => setConfirming(false)} title="Confirm it’s you">
        <TextField label="Password" name="password" value="" onChange={() => {}} />
      </Dialog>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Stay">
        <BookingForm {...booking} />
        <Button onClick={() => setConfirming(true)}>Confirm</Button>
      </Dialog>
      <UnsavedChanges />
    </>
  )
}

async function openStay(booking: Partial<Booking> = {}) {
  const page = <Page lost={null} send={async () => ({})} {...booking} />
  const pages = [
    { path: '/', element: 'Rooms' },
    { path: '/stay', element: page },
  ]
  // Who signed up from a page comes back to it by a second entry.
  const router = createMemoryRouter(pages, { initialEntries: ['/', '/stay', '/stay'] })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Open' }))
  const goBack = (pages = 1) => act(() => router.navigate(-pages))
  return { user, goBack, guest: await screen.findByLabelText('Guest') }
}

const shown = (name: string) => screen.queryByRole('dialog', { name })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a dialog begins in the first field of its form, also of one that comes later', async () => {
  const { guest } = await openStay()
  await waitFor(() => expect(document.activeElement).toBe(guest))
  cleanup()
  const dialog = (form: boolean) => (
    <Dialog opened onClose={() => {}} title="Rooms">
      {form ? (
        <form>
          {['North', 'South'].map((room) => (
            <label key={room}>
              <input type="radio" name="room" defaultChecked={room === 'South'} /> {room}
            </label>
          ))}
        </form>
      ) : (
        'Loading'
      )}
    </Dialog>
  )
  const { rerender } = render(dialog(false))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' })))
  rerender(dialog(true))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'South' })))
})

test('on a touch screen a dialog with a form begins at its title, which no keyboard covers', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(pointer: coarse)',
    addEventListener() {},
    removeEventListener() {},
  }))
  await openStay()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Stay' })))
})

test('a dialog that begins with something else, or says where it begins, is left at that', async () => {
  render(
    <Dialog opened onClose={() => {}} title="Lists">
      <Button>Rename</Button>
      <form>
        <input aria-label="New list" />
      </form>
    </Dialog>,
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' })))
  cleanup()
  render(
    <Dialog opened onClose={() => {}} title="Card">
      <form>
        <input aria-label="ZIP code" />
        <input aria-label="Number" data-autofocus />
      </form>
    </Dialog>,
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Number')))
  cleanup()
  render(
    <Dialog opened onClose={() => {}} title="Card">
      <form>
        <iframe title="Card number" />
        <input aria-label="Save card" />
      </form>
    </Dialog>,
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' })))
})

test('Escape closes the topmost dialog alone, whichever stands first in the page', async () => {
  const { user } = await openStay()
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  await screen.findByLabelText('Password')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(shown('Confirm it’s you')).toBeNull())
  expect(shown('Stay')).not.toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(shown('Stay')).toBeNull())
})

test('closing a dialog asks before what was typed in its form is lost', async () => {
  const { user, guest } = await openStay({ lost: 'The stay isn’t booked yet.' })
  await user.type(guest, 'Ada')
  await user.keyboard('{Escape}')
  await screen.findByText('The stay isn’t booked yet.')
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByText('The stay isn’t booked yet.')).toBeNull())
  expect((guest as HTMLInputElement).value).toBe('Ada')
  await waitFor(() => expect(document.activeElement).toBe(guest))
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(shown('Stay')).toBeNull())
})

test('a dialog closes at once while nothing in it would be lost', async () => {
  const { user } = await openStay({ lost: 'The stay isn’t booked yet.' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(shown('Stay')).toBeNull())
})

test('the focus goes back to what opened a dialog, also if that goes away without closing', async () => {
  function Rooms() {
    const [asked, setAsked] = useState(false)
    return (
      <>
        <Button onClick={() => setAsked(true)}>Ask</Button>
        {asked && (
          <Dialog opened onClose={() => setAsked(false)} title="Question">
            Which room?
          </Dialog>
        )}
      </>
    )
  }
  render(<Rooms />)
  const user = userEvent.setup()
  const opener = screen.getByRole('button', { name: 'Ask' })
  await user.click(opener)
  await waitFor(() => expect(document.activeElement).not.toBe(opener))
  await screen.findByText('Which room?')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(shown('Question')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('the focus goes back to what opened the first of two dialogs that take turns', async () => {
  function Rooms() {
    const [asked, setAsked] = useState<'which' | 'when' | null>(null)
    return (
      <>
        <Button onClick={() => setAsked('which')}>Ask</Button>
        {asked === 'which' && (
          <Dialog opened onClose={() => setAsked(null)} title="Which">
            <Button onClick={() => setAsked('when')}>Next</Button>
          </Dialog>
        )}
        {asked === 'when' && (
          <Dialog opened onClose={() => setAsked(null)} title="When">
            Tonight?
          </Dialog>
        )}
      </>
    )
  }
  render(<Rooms />)
  const user = userEvent.setup()
  const opener = screen.getByRole('button', { name: 'Ask' })
  await user.click(opener)
  await user.click(await screen.findByRole('button', { name: 'Next' }))
  const second = await screen.findByRole('dialog', { name: 'When' })
  await waitFor(() => expect(second.contains(document.activeElement)).toBe(true))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(shown('When')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

/** Rooms that a dialog each removes; the list is read again when told. */
function Rooms({ gone, onRemove }: { gone: string[]; onRemove: (room: string) => void }) {
  const [asked, setAsked] = useState<string | null>(null)
  return (
    <section>
      <h2>Rooms</h2>
      <ul>
        {['North', 'East', 'South']
          .filter((room) => !gone.includes(room))
          .map((room) => (
            <li key={room} aria-label={room}>
              <Button onClick={() => setAsked(room)}>Remove {room}</Button>
            </li>
          ))}
      </ul>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title="Remove"
        confirmLabel="Yes"
        onConfirm={async () => onRemove(asked ?? '')}
      >
        For good?
      </ConfirmDialog>
    </section>
  )
}

test.each(['at once', 'later'])(
  'the focus goes to the row beside what a dialog removed %s, else to the heading',
  async (when) => {
    const gone: string[] = []
    const rooms = () => (
      <Rooms
        gone={[...gone]}
        onRemove={(room) => {
          gone.push(room)
          if (when === 'at once') rerender(rooms())
        }}
      />
    )
    const { rerender } = render(rooms())
    const user = userEvent.setup()
    for (const [room, next] of [
      ['East', 'South'],
      ['South', 'North'],
      ['North', ''],
    ]) {
      const opener = screen.getByRole('button', { name: `Remove ${room}` })
      await user.click(opener)
      await user.click(await screen.findByRole('button', { name: 'Yes' }))
      await waitFor(() => expect(shown('Remove')).toBeNull())
      if (when === 'later') {
        await waitFor(() => expect(document.activeElement).toBe(opener))
        rerender(rooms())
      }
      const place = next ? screen.getByRole('listitem', { name: next }) : screen.getByRole('heading')
      await waitFor(() => expect(document.activeElement).toBe(place))
    }
  },
)

test('a dialog stays until what its form sends is answered', async () => {
  const { promise, reject } = Promise.withResolvers<unknown>()
  const { user } = await openStay({ send: () => promise })
  await user.click(screen.getByRole('button', { name: 'Book' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Close' })).toBeNull())
  await user.keyboard('{Escape}')
  reject(new Error('No rooms.'))
  await screen.findByRole('button', { name: 'Close' })
  expect(shown('Stay')).not.toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(shown('Stay')).toBeNull())
})

test.each([
  ['another page', 2],
  ['the same page', 1],
])('Back to %s closes the topmost dialog alone, and leads on once none is open', async (_page, pages) => {
  const { user, goBack } = await openStay()
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  await screen.findByLabelText('Password')
  await goBack(pages)
  await waitFor(() => expect(shown('Confirm it’s you')).toBeNull())
  expect(shown('Stay')).not.toBeNull()
  await goBack(pages)
  await waitFor(() => expect(shown('Stay')).toBeNull())
  expect(screen.getByRole('button', { name: 'Open' })).toBeTruthy()
  await goBack(2)
  await screen.findByText('Rooms')
})

test('Back asks like any other way before what was typed in a dialog is lost', async () => {
  const { user, guest, goBack } = await openStay({ lost: 'The stay isn’t booked yet.' })
  await user.type(guest, 'Ada')
  await goBack(2)
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(shown('Stay')).toBeNull())
  expect(screen.getByRole('button', { name: 'Open' })).toBeTruthy()
})

test('Back neither closes nor leaves a dialog whose form waits for an answer', async () => {
  const { promise, reject } = Promise.withResolvers<unknown>()
  const { user, goBack } = await openStay({ send: () => promise })
  await user.click(screen.getByRole('button', { name: 'Book' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Close' })).toBeNull())
  await goBack(2)
  expect(shown('Stay')).not.toBeNull()
  reject(new Error('No rooms.'))
  await screen.findByRole('button', { name: 'Close' })
})
