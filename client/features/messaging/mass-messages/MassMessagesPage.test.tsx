import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { Component as MassMessagesPage } from './MassMessagesPage.tsx'

const ME = { _id: 'me', isCreator: true, timeZone: 'UTC' }
const SENT = {
  _id: 'sent',
  content: 'A new set',
  attachments: [] as object[],
  price: null as string | null,
  failure: null,
  audience: 'followers',
  list: null,
  excludedList: null,
  status: 'sent',
  sendAt: '2026-11-20T10:00:00.000Z',
  expected: 3,
  sent: 3,
  opened: 0,
  bought: 0,
  earned: '$0',
  unsent: 0,
  leftOut: 0,
  canUnsend: true,
}

afterEach(() => {
  cleanup()
  localStorage.removeItem('drafts')
  writeToken(null)
  vi.unstubAllGlobals()
})

/** The page at this address, of a creator who has these messages; any other call is answered by what its address ends with. */
async function opens(massMessages: object[], answers: Record<string, object> = {}, address = '/') {
  writeToken('token')
  vi.stubGlobal('fetch', async (asked: string) => {
    const { pathname } = new URL(asked, location.origin)
    const answer = Object.entries(answers).find(([end]) => pathname.endsWith(end))?.[1]
    if (answer) return answer instanceof Response ? answer.clone() : Response.json(answer)
    if (pathname.endsWith('/massmessages')) return Response.json({ items: massMessages, nextCursor: null })
    if (pathname.endsWith('/audience')) return Response.json({ people: 3 })
    if (pathname.endsWith('/fanlists')) return Response.json({ items: [] })
    if (pathname.endsWith('/config'))
      return Response.json({ brand: { name: 'Fanfare' }, limits: { maxFileBytes: 1000 } })
    return Response.json(ME)
  })
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  const router = createMemoryRouter([{ path: '*', element: <MassMessagesPage /> }], {
    initialEntries: [address],
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test.each([
  ['free', {}, 'The message is removed from every conversation.'],
  [
    'free, with media',
    { attachments: [{}] },
    'The message is removed from every conversation, along with the media that came with it.',
  ],
  [
    'sold, and still being sent',
    { attachments: [{}], price: '$5', status: 'sending' },
    'Sending stops, and the message is removed from every conversation. Fans who bought it keep it.',
  ],
])('unsending one that is %s says what that does', async (_kind, changes, effect) => {
  await opens([{ ...SENT, ...changes }])
  await userEvent.click(await screen.findByRole('button', { name: 'Unsend: A new set' }))
  expect((await screen.findByRole('dialog')).textContent).toContain(effect)
})

test('the form has the focus at its heading when it opens, and what opened it once it closes', async () => {
  const scheduled = { ...SENT, status: 'scheduled', sent: 0, canUnsend: false }
  await opens([scheduled])
  const focuses = (role: string, name: string) =>
    waitFor(() => expect(document.activeElement).toBe(screen.getByRole(role, { name })))
  for (const [opener, heading] of [
    ['New mass message', 'New mass message'],
    ['Edit: A new set', 'Edit mass message'],
  ] as const) {
    await userEvent.click(await screen.findByRole('link', { name: opener }))
    await focuses('heading', heading)
    await userEvent.click(screen.getByRole('link', { name: 'All mass messages' }))
    await focuses('link', opener)
  }
})

test('a link opens a message that the first page of the list doesn’t hold, unless it is on its way already', async () => {
  const later = { ...SENT, _id: 'later', content: 'Far down', status: 'scheduled', sent: 0 }
  await opens([SENT], { '/massmessage': later }, '/?compose=later')
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  expect(field.value).toBe('Far down')
  cleanup()
  await opens([SENT], { '/massmessage': { ...later, status: 'sent' } }, '/?compose=later')
  await screen.findByText('A new set')
  await screen.findByRole('heading', { name: 'Mass messages' })
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
})

test('a link to a message that can’t be read says so, and leads back to the list', async () => {
  const gone = { error: 'This message doesn’t exist.', code: 'message_not_found' }
  await opens([SENT], { '/massmessage': Response.json(gone, { status: 404 }) }, '/?compose=gone')
  await screen.findByText('We couldn’t open this message')
  await userEvent.click(screen.getByRole('link', { name: 'All mass messages' }))
  await screen.findByText('A new set')
})
