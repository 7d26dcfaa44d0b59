import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { Profile } from '../../../profiles/api.ts'
import type { Bundle } from '../../api.ts'
import { BundleRow } from './BundleList.tsx'

afterEach(cleanup)

test.each([
  ['holds something', 1, 1],
  ['is empty', 0, 0],
])('whether a bundle that %s is offered', (_what, photoCount, offered) => {
  const bundle = {
    ...{ _id: 'bundle', title: 'Beach', description: '', cover: null, price: '$9', mediaIds: [] },
    ...{ photoCount, videoCount: 0, videoSeconds: 0, ownedCount: 0, purchased: false, retired: false },
  } as unknown as Bundle
  const creator = { _id: 'ada', username: 'ada', blocked: false, suspended: false } as unknown as Profile
  const row = { bundle, creator, own: false, onBuy: () => {}, contents: () => null }
  const element = <BundleRow {...row} />
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
  expect(screen.queryAllByRole('button', { name: 'Buy bundle Beach' })).toHaveLength(offered)
})
