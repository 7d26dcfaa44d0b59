import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPhotoSwipe } from './photoswipe.ts'

test('a viewer whose page goes back while it opens goes away, too', async () => {
  const closed: string[] = []
  const viewer = openPhotoSwipe({
    startIndex: 0,
    count: () => 1,
    itemAt: () => undefined,
    renew: () => Promise.reject(new Error('nothing to renew')),
    onIndex: () => {},
    onFilled: () => {},
    onLeave: () => {},
    onClosed: () => closed.push('closed'),
    still: false,
  })
  viewer.destroy()
  await waitFor(() => expect(document.querySelector('.pswp')).toBeNull())
  expect(closed).toEqual([])
})
