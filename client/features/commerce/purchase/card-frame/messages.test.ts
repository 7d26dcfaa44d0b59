import { describe, expect, test } from 'vitest'
import { readMessage } from './messages.ts'

describe('what the frame says', () => {
  test.each([
    { kind: 'ready' },
    {
      kind: 'token',
      dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT',
      dataValue: 'eyJ',
      billTo: { zip: '94103' },
    },
    { kind: 'token', dataDescriptor: 'd', dataValue: 'v', billTo: { zip: '94103', address: '1 Main St' } },
    { kind: 'refused', message: 'Accept.js not loaded' },
    { kind: 'refused', message: null },
    { kind: 'height', pixels: 172 },
    // Five fields and what is wrong in them, in text of twice the size.
    { kind: 'height', pixels: 1400 },
    { kind: 'key', key: 'Enter' },
    { kind: 'key', key: 'Escape' },
  ])('is taken as it is: %j', (message) => {
    expect(readMessage(message)).toEqual(message)
  })

  test('has only its fields, so it never includes a card number', () => {
    const token = { kind: 'token', dataDescriptor: 'd', dataValue: 'v', billTo: { zip: '94103' } }
    const more = { ...token, billTo: { ...token.billTo, code: '123' }, number: '4111' }
    expect(readMessage(more)).toEqual(token)
  })

  test.each([
    [null],
    ['token'],
    [{}],
    [{ kind: 'token', dataDescriptor: 'd' }],
    [{ kind: 'token', dataDescriptor: 'd', dataValue: 'v' }],
    [{ kind: 'token', dataDescriptor: {}, dataValue: 'v', billTo: { zip: '94103' } }],
    [{ kind: 'token', dataDescriptor: 'd', dataValue: 'v'.repeat(20_000), billTo: { zip: '94103' } }],
    [{ kind: 'token', dataDescriptor: 'd', dataValue: 'v', billTo: { zip: '9'.repeat(11) } }],
    [{ kind: 'token', dataDescriptor: 'd', dataValue: 'v', billTo: { zip: '94103', address: {} } }],
    [{ kind: 'height', pixels: 2001 }],
    [{ kind: 'height', pixels: 1e9 }],
    [{ kind: 'height', pixels: 'tall' }],
    [{ kind: 'key', key: 'Tab' }],
    [{ kind: 'open', url: 'https://elsewhere.example' }],
  ])('is left alone when it is anything else: %j', (message) => {
    expect(readMessage(message)).toBeNull()
  })
})
