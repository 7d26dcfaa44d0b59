import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { PriceField } from './PriceField.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Priced() {
  const [price, setPrice] = useState('')
  return <PriceField label="Price" description="What fans pay." value={price} onChange={setPrice} />
}

test('what is left of a price describes its field, and is read out as it changes', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ payments: { feePercent: 20 } }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <Priced />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const field = screen.getByLabelText('Price')
  const description = () => document.getElementById(field.getAttribute('aria-describedby') ?? '')
  // It is there before it has something to say, as what comes along with it is read out by nobody.
  const live = description()?.querySelector('[aria-live="polite"]')
  expect(live?.textContent).toBe('')
  await userEvent.setup().type(field, '25')
  expect(await screen.findByText('You get $20.00. The fee is 20%.')).toBe(live)
  expect(description()?.textContent).toBe('What fans pay.You get $20.00. The fee is 20%.')
})
