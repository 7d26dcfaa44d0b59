import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { SearchField } from './SearchField.tsx'

afterEach(cleanup)

test('what is typed on while the address of the words before is on its way stays', async () => {
  const onSearch = vi.fn()
  const field = (words: string) => (
    <MemoryRouter>
      <SearchField words={words} focused={false} onSearch={onSearch} />
    </MemoryRouter>
  )
  const { rerender } = render(field(''))
  const input = screen.getByRole<HTMLInputElement>('searchbox')
  const type = (value: string) => fireEvent.change(input, { target: { value } })
  type('lan')
  await waitFor(() => expect(onSearch).toHaveBeenCalledWith('lan'))
  type('lantern')
  rerender(field('lan'))
  expect(input.value).toBe('lantern')
  await waitFor(() => expect(onSearch).toHaveBeenCalledWith('lantern'))
  rerender(field('lantern'))
  // Gone back.
  rerender(field('lan'))
  expect(input.value).toBe('lan')
})
