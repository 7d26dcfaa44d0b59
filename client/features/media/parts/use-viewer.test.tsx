import { act, cleanup, render } from '@testing-library/react'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { useViewer } from './use-viewer.ts'

afterEach(cleanup)

test('a move that comes while the viewer goes away doesn’t open it again', async () => {
  let viewer: ReturnType<typeof useViewer> | undefined
  const Page = () => {
    viewer = useViewer()
    return null
  }
  const router = createBrowserRouter([{ path: '*', element: <Page /> }])
  render(<RouterProvider router={router} />)
  const searches = [location.search]
  await act(async () => viewer?.open('first'))
  searches.push(location.search)
  const { move } = viewer ?? {}
  await act(async () => move?.('second'))
  searches.push(location.search)
  await act(() => router.navigate('/', { replace: true }))
  await act(async () => move?.('third'))
  searches.push(location.search)
  expect(searches).toEqual(['', '?view=first', '?view=second', ''])
})
