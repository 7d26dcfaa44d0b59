import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { dialogTexts } from '../../../ui/texts.ts'
import { usePurchase } from '../parts/purchase.tsx'
import { useTip } from '../parts/tips.tsx'
import { purchaseTexts } from '../purchase/texts.ts'
import { tipTexts as texts } from './texts.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

function Page() {
  const { buy, dialog } = usePurchase()
  const { askForTip, tipDialog } = useTip({ _id: 'mara', username: 'mara', firstName: 'Mara' }, buy)
  return (
    <>
      <button type="button" onClick={askForTip}>
        Ask
      </button>
      {tipDialog}
      {dialog}
    </>
  )
}

test('the sheet stays until the purchase dialog stands, so that a second tap can’t hit the page behind', async () => {
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('/auth/me')
      ? Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail: 'verified', permissions: [] })
      : Response.json({ purchase: null, owed: null, items: [], pastDue: [] }),
  )
  writeToken(crypto.randomUUID())
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '/', element: <Page /> }])} />
        </SessionProvider>
      </MantineProvider>
    </QueryClientProvider>,
  )
  const ask = await screen.findByText('Ask')
  ask.focus()
  fireEvent.click(ask)
  const send = await screen.findByRole('button', { name: texts.next('$10') })
  let gaps = 0
  const observer = new MutationObserver(() => {
    if (!screen.queryByText(texts.sendTo('Mara')) && !screen.queryByText(purchaseTexts.tip)) gaps += 1
  })
  observer.observe(document.body, { childList: true, subtree: true })
  send.focus()
  fireEvent.click(send)
  fireEvent.click(send)
  await screen.findByText(purchaseTexts.tip)
  await waitFor(() => expect(screen.queryByText(texts.sendTo('Mara'))).toBeNull())
  observer.disconnect()
  expect(gaps).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: dialogTexts.close }))
  await waitFor(() => expect(document.activeElement).toBe(ask))
})
