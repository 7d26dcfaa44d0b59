import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Avatar } from './Avatar.tsx'

afterEach(cleanup)

test('where a picture isn’t there the first letter stands, until there is another one', () => {
  const { container, rerender } = render(<Avatar src="/old.webp" name="ada" />)
  fireEvent.error(container.querySelector('img') as HTMLImageElement)
  expect(container.textContent).toBe('A')
  expect(container.querySelector('img')).toBeNull()
  rerender(<Avatar src="/new.webp" name="ada" />)
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/new.webp')
})

test('a picture that didn’t come without a connection is asked for again once there is one', () => {
  const { container } = render(<Avatar src="/ada.webp" name="ada" />)
  fireEvent.error(container.querySelector('img') as HTMLImageElement)
  expect(container.querySelector('img')).toBeNull()
  fireEvent(window, new Event('online'))
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/ada.webp')
})
