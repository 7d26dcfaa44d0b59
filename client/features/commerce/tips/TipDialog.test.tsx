import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { wishLabel } from '../parts/buyable.ts'
import TipDialog from './TipDialog.tsx'
import { tipTexts as texts } from './texts.ts'

afterEach(cleanup)

test('an amount out of range isn’t bought, and whoever typed it stands in its field', async () => {
  const onBuy = vi.fn()
  const receiver = { _id: 'mara', username: 'mara', firstName: 'Mara' }
  render(
    <MantineProvider>
      <TipDialog receiver={receiver} busy={false} onBuy={onBuy} onClose={() => {}} />
    </MantineProvider>,
  )
  await userEvent.click(screen.getByText(texts.other))
  const field = screen.getByRole('textbox', { name: texts.otherAmount })
  await userEvent.type(field, '0.5')
  await userEvent.click(screen.getByRole('button', { name: texts.send }))
  expect(document.activeElement).toBe(field)
  expect(onBuy).not.toHaveBeenCalled()
  await userEvent.type(field, '7')
  await userEvent.click(screen.getByRole('button', { name: texts.next('$7') }))
  expect(onBuy).toHaveBeenCalledOnce()
  // The page that verifies the email of whoever buys it offers to go on.
  expect(wishLabel(onBuy.mock.calls[0]?.[0])).toBe('Send a tip of $7')
})
