import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { hearTime } from '../../../lib/server-clock.ts'
import { ME, message, OTHER } from '../cache/sample.ts'
import { MessageMenu } from './MessageMenu.tsx'

afterEach(() => {
  cleanup()
  hear(Date.now())
})

const HOUR_MS = 3_600_000
const hear = (time: number) =>
  hearTime(new Response(null, { headers: { date: new Date(time).toUTCString() } }))

test.each([
  [true, 0, []],
  [false, 0, ['Edit', 'Delete']],
  [false, 25, []],
])(
  'of one’s message that was bought (%s) this can be changed, the server’s clock being %i hours ahead: %j',
  (purchased, hours, offered) => {
    hear(Date.now() + hours * HOUR_MS)
    const changes = { senderId: ME, createdAt: new Date().toISOString(), price: '$5', purchased }
    render(
      <QueryClientProvider client={createQueryClient()}>
        <MessageMenu
          describedBy=""
          message={message(1, changes)}
          me={ME}
          recipientId={OTHER}
          opened
          onChange={() => {}}
          onHandle={() => {}}
        />
      </QueryClientProvider>,
    )
    const shown = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(shown.filter((text) => text === 'Edit' || text === 'Delete')).toEqual(offered)
  },
)
