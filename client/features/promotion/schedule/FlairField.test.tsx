import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { FlairField } from './FlairField.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Like a card, which asks for a flair for as long as there is none. */
function Card() {
  const [flair, setFlair] = useState({ id: '', text: '' })
  return <FlairField subreddit="Gardens" value={flair} onChange={setFlair} required={flair.id === ''} />
}

test('a flair that the subreddit asks for stays in sight once it is chosen', async () => {
  const items = [{ id: 'original', text: 'Original', editable: false }]
  vi.stubGlobal('fetch', async () => Response.json({ known: true, items }))
  render(
    <MantineProvider>
      <QueryClientProvider client={createQueryClient()}>
        <Card />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const field = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Flair' })
  await userEvent.selectOptions(field, 'Original')
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Flair' }).value).toBe('original')
})
