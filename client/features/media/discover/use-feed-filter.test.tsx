import { act, cleanup, render, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { filterInAddress } from './address.ts'
import { useFeedFilter } from './use-feed-filter.ts'

afterEach(cleanup)

const [BEACH, NIGHT] = [
  '0190a0a0-0000-7000-8000-000000000001',
  '0190a0a0-0000-7000-8000-000000000002',
] as const

test('what is toggled while the address of the last toggle is on its way adds to it', async () => {
  let filter: ReturnType<typeof useFeedFilter> | undefined
  const Page = () => {
    filter = useFeedFilter()
    return null
  }
  let arrives = Promise.resolve()
  const router = createMemoryRouter([
    { path: '*', element: <Page />, hydrateFallbackElement: <p />, loader: () => arrives.then(() => null) },
  ])
  render(<RouterProvider router={router} />)
  await waitFor(() => expect(filter).toBeDefined())
  const { promise, resolve } = Promise.withResolvers<void>()
  arrives = promise
  act(() => filter?.toggleTag(BEACH))
  await waitFor(() => expect(router.state.navigation.state).toBe('loading'))
  expect(filter?.chosen.tagIds).toEqual([BEACH])
  act(() => filter?.toggleTag(NIGHT))
  await act(async () => resolve())
  const inAddress = () => filterInAddress(new URLSearchParams(router.state.location.search)).tagIds
  await waitFor(() => expect(inAddress()).toEqual([BEACH, NIGHT]))
  // Going back takes both away.
  await act(() => router.navigate('/'))
  await waitFor(() => expect(filter?.chosen.tagIds).toEqual([]))
})
