import { describe, expect, test } from 'vitest'
import { readMessage } from './messages.ts'

describe('what the frame says', () => {
  test.each([
    { kind: 'ready' },
    { kind: 'token', dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT', dataValue: 'eyJ' },
    { kind: 'refused', message: 'Accept.js not loaded' },
    { kind: 'refused', message: null },
    { kind: 'height', pixels: 172 },
    { kind: 'key', key: 'Enter' },
    { kind: 'key', key: 'Escape' },
  ])('is taken as it is: %j', (message) => {
    expect(readMessage(message)).toEqual(message)
  })

  test('has only its fields, so it never includes a card number', () => {
    expect(readMessage({ kind: 'token', dataDescriptor: 'd', dataValue: 'v', number: '4111' })).toEqual({
      kind: 'token',
      dataDescriptor: 'd',
      dataValue: 'v',
    })
  })

  test.each([
    [null],
    ['token'],
    [{}],
    [{ kind: 'token', dataDescriptor: 'd' }],
    [{ kind: 'token', dataDescriptor: {}, dataValue: 'v' }],
    [{ kind: 'token', dataDescriptor: 'd', dataValue: 'v'.repeat(20_000) }],
    [{ kind: 'height', pixels: 1e9 }],
    [{ kind: 'height', pixels: 'tall' }],
    [{ kind: 'key', key: 'Tab' }],
    [{ kind: 'open', url: 'https://elsewhere.example' }],
  ])('is left alone when it is anything else: %j', (message) => {
    expect(readMessage(message)).toBeNull()
  })
})
