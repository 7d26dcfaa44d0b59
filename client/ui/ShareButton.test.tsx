import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { ShareButton } from './ShareButton.tsx'
import ToastHost from './ToastHost.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'share')
})

const shown = (path: string) => {
  const person = userEvent.setup()
  render(
    <>
      <ShareButton path={path} title="One" />
      <ToastHost />
    </>,
  )
  return () => person.click(screen.getByRole('button', { name: 'Share' }))
}

test('without a clipboard, as without https, the address itself is shown', async () => {
  const press = shown('/media/one')
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  await press()
  await screen.findByText(/can’t copy this link: .*\/media\/one$/)
  expect(screen.queryByText('Link copied')).toBeNull()
})

test('who closes the device’s own sheet is told nothing; a sheet that failed is said', async () => {
  const press = shown('/media/two')
  const share = vi.fn().mockRejectedValueOnce(new DOMException('closed', 'AbortError'))
  share.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
  Object.defineProperty(navigator, 'share', { value: share, configurable: true })
  await press()
  expect(screen.queryByText(/media\/two/)).toBeNull()
  await press()
  expect(await screen.findAllByText(/can’t copy this link: .*\/media\/two$/)).toHaveLength(1)
})
