import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { bundleQuery } from './api.ts'
import { Component } from './EditBundlePage.tsx'

const ME = '00000000-0000-7000-8000-000000000001'
const ID = '00000000-0000-7000-8000-000000000002'
const bundle = {
  ...{ _id: ID, userId: ME, title: 'Summits', description: '', cover: null, price: '$18', lessOwned: true },
  ...{ retired: false, deletable: false, mediaIds: [], photoCount: 0, videoCount: 0, videoSeconds: 0 },
  ...{ locked: false, purchased: false, ownedCount: 0, contentsVersion: '' },
}

beforeEach(() => {
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes(ID)) return Response.json({ ...bundle, title: 'Twelve summits' })
    if (address.includes('/config'))
      return Response.json({ brand: { name: 'Fanfare' }, payments: { feePercent: 20 } })
    return Response.json({ items: [], hasMore: false, nextCursor: null })
  })
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

test('the editor begins with what is kept now, not with what was read before the library changed it', async () => {
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], { _id: ME })
  client.setQueryData(bundleQuery(ID).queryKey, bundle as never)
  const router = createMemoryRouter([{ path: '/:bundleId', element: <Component /> }], {
    initialEntries: [`/${ID}`],
  })
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <MantineProvider>
          <RouterProvider router={router} />
        </MantineProvider>
      </SessionProvider>
    </QueryClientProvider>,
  )
  expect(await screen.findByLabelText('Title')).toHaveProperty('value', 'Twelve summits')
})
