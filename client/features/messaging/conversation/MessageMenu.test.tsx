import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { ME, message, OTHER } from '../cache/sample.ts'
import { MessageMenu } from './MessageMenu.tsx'

afterEach(cleanup)

test.each([
  [true, []],
  [false, ['Edit', 'Delete']],
])('of one’s message that was bought (%s) this can be changed: %j', (purchased, offered) => {
  const changes = { senderId: ME, createdAt: new Date().toISOString(), price: '$5', purchased }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MessageMenu
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
})
