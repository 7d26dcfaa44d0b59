import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import ToastHost from '../../../ui/ToastHost.tsx'
import { Component } from './NotificationSettingsPage.tsx'
import { settingsTexts as texts } from './texts.ts'

const ME = { _id: 'me', isCreator: false, permissions: [], verifiedEmail: 'verified' }

let settings: Record<string, unknown>
let isOffline: boolean
let sent: unknown[]

beforeEach(() => {
  isOffline = false
  sent = []
  settings = {
    topics: [{ topic: 'messages', email: 'now', push: true, required: false }],
    ...{ quietHours: null, timeZone: 'UTC', showMessageText: false },
    push: { publicKey: null, here: false, others: 0 },
  }
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string, { method, body }: RequestInit = {}) => {
    if (isOffline) throw new TypeError('Failed to fetch')
    if (method === 'POST') {
      const change = JSON.parse(String(body))
      sent.push(change)
      settings = { ...settings, ...change }
      return Response.json({ success: true })
    }
    if (address.includes('/config')) return Response.json({ brand: { name: 'Fanfare' } })
    return Response.json(address.includes('/settings') ? settings : ME)
  })
})
afterEach(() => {
  cleanup()
  notifications.clean()
  writeToken(null)
  vi.unstubAllGlobals()
  localStorage.clear()
})

function opens(): void {
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '*', element: <Component /> }])} />
        </SessionProvider>
        <ToastHost />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const choice = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name: new RegExp(name) })

test.each([
  ['Push about messages', true],
  [texts.showText, false],
  [texts.quietSwitch, false],
])('without a network “%s” goes back to what is kept, and it is said', async (name, kept) => {
  opens()
  const control = await choice(name)
  isOffline = true
  await userEvent.click(control)
  await screen.findByText(new RegExp(texts.saveFailed))
  await waitFor(() => expect(control.checked).toBe(kept))
  expect(sent).toEqual([])
})

test('without a network an email’s frequency goes back as well, after several changes', async () => {
  opens()
  const field = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Email about messages' })
  isOffline = true
  await userEvent.selectOptions(field, 'weekly')
  await userEvent.selectOptions(field, 'off')
  await waitFor(() => expect(field.value).toBe('now'))
})

test('quiet hours that are turned off and on again are those that were set', async () => {
  settings = { ...settings, quietHours: { from: 1380, to: 390 } }
  opens()
  const quiet = await choice(texts.quietSwitch)
  await userEvent.click(quiet)
  await waitFor(() => expect(quiet.checked).toBe(false))
  await userEvent.click(quiet)
  await waitFor(() => expect(quiet.checked).toBe(true))
  expect(sent).toMatchObject([{ quietHours: null }, { quietHours: { from: 1380, to: 390 } }])
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: texts.from }).value).toBe('1380')
})

test.each(['', 'x-y', '480-480', '-30-90', '5000-60', '7-9'])(
  'quiet hours kept as “%s” are none',
  async (kept) => {
    localStorage.setItem('quietHours', kept)
    opens()
    await userEvent.click(await choice(texts.quietSwitch))
    await waitFor(() => expect(sent).toMatchObject([{ quietHours: { from: 1320, to: 480 } }]))
  },
)

test.each([
  [texts.from, '1410', { quietFrom: 1410 }],
  [texts.to, '420', { quietTo: 420 }],
])('“%s” is sent alone, so that another tab’s change of the other end stays', async (name, value, change) => {
  settings = { ...settings, quietHours: { from: 1380, to: 390 } }
  opens()
  await userEvent.selectOptions(await screen.findByRole('combobox', { name }), value)
  await waitFor(() => expect(sent).toEqual([change]))
})
