import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { LinkedText } from './LinkedText.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('an address is a link alone: nothing is asked of where it leads, nor told there', () => {
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  const { container } = render(<LinkedText>See https://a.test/photo.png now</LinkedText>)
  const link = screen.getByRole('link', { name: 'https://a.test/photo.png' })
  expect(link.getAttribute('rel')?.split(' ')).toEqual(
    expect.arrayContaining(['noopener', 'noreferrer', 'nofollow']),
  )
  expect([...container.querySelectorAll('*')]).toEqual([link])
  expect(container.textContent).toBe('See https://a.test/photo.png now')
  expect(fetched).not.toHaveBeenCalled()
})
