import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { message } from '../cache/sample.ts'
import type { Message } from '../cache/timeline.ts'
import { MessageAttachments } from './MessageAttachments.tsx'

afterEach(cleanup)

type Shown = {
  locked: boolean
  mine: boolean
  takenDown?: true
  blocked?: true
  other?: { free?: true; owned?: true; locked?: true }
  first?: { type: 'video'; duration: number; owned: true }
}

/** A message with one photo, in the words that matter here. */
function show({ locked, takenDown, blocked, mine, other, first, ...changes }: Shown & Partial<Message>) {
  const [onOpen, onUnlock] = [vi.fn(), vi.fn()]
  const media = { type: 'image', title: '', price: '$99', preview: '', width: 4, height: 3 }
  const attached = {
    url: null,
    mediaType: 'image',
    media: { _id: 'photo', ...media, locked, takenDown, ...first },
  }
  const others = { ...attached, media: { _id: 'other', ...media, locked: false, ...other } }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <MemoryRouter>
          <MessageAttachments
            message={message(1, {
              attachments: [attached, ...(other ? [others] : [])] as unknown as Message['attachments'],
              ...changes,
            })}
            mine={mine}
            onOpen={onOpen}
            onUnlock={blocked ? null : onUnlock}
          />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>,
  )
  return { onOpen, onUnlock }
}

test('what is on sale opens the purchase from its tile and from its button', async () => {
  const { onOpen, onUnlock } = show({ locked: true, mine: false, price: '$5' })
  for (const button of screen.getAllByRole('button')) await userEvent.click(button)
  expect([onUnlock.mock.calls.length, onOpen.mock.calls.length]).toEqual([2, 0])
  expect(screen.queryByText('No longer available')).toBeNull()
})

test('what several photos cost together is said once', () => {
  show({ locked: true, other: { locked: true }, mine: false, price: '$5' })
  expect(screen.getAllByText(/\$5/).map(({ textContent }) => textContent)).toEqual(['Unlock for $5'])
})

test.each([
  ['what the sender deleted, or was taken down', { locked: true, mine: false, price: null }],
  ['what was taken down before it was bought', { locked: true, takenDown: true, mine: false, price: '$5' }],
  ['what is of somebody who blocks them', { locked: true, blocked: true, mine: false, price: '$5' }],
  ['what was bought and then taken down', { locked: true, mine: false, price: '$5', purchased: true }],
  ['one’s own that is gone', { locked: true, mine: true, price: '$5' }],
] as const)('%s can’t be bought, and says so', (_, attached) => {
  show(attached)
  expect(screen.queryAllByRole('button')).toEqual([])
  screen.getByText('No longer available')
  expect(screen.queryByText('$99')).toBeNull()
})

test.each([
  ['free for everyone', { free: true }, { unlocks: 0, gone: 1 }],
  ['the fan’s by another purchase', { owned: true }, { unlocks: 1, gone: 0 }],
  ['the fan’s, and free for everyone', { free: true, owned: true }, { unlocks: 0, gone: 1 }],
] as const)('what is locked beside something that is %s', (_, other, { unlocks, gone }) => {
  show({ locked: true, other, mine: false, price: '$5' })
  expect(screen.queryAllByRole('button', { name: 'Unlock for $5' })).toHaveLength(unlocks)
  expect(screen.queryAllByText('No longer available')).toHaveLength(gone)
})

test('what is open opens', async () => {
  const { onOpen, onUnlock } = show({ locked: false, mine: false, price: '$5', purchased: true })
  await userEvent.click(screen.getByRole('button'))
  expect([onOpen.mock.calls, onUnlock.mock.calls.length]).toEqual([[['photo']], 0])
})

test('who bought a video sees that it is one, and how long it is', () => {
  const video = { type: 'video', duration: 83, owned: true } as const
  show({ locked: false, mine: false, price: '$5', purchased: true, first: video })
  expect(screen.getByRole('button').textContent).toContain('1:23')
})

test.each([
  [false, 'Locked for $5', 'lock'],
  [true, 'Sold for $5', 'lock-open'],
])('a message that was bought (%s) says “%s” with a lock as it is', (purchased, said, icon) => {
  show({ locked: false, mine: true, price: '$5', purchased })
  expect(screen.getByText(said).querySelector('svg')?.classList).toContain(`tabler-icon-${icon}`)
})
