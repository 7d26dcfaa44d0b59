import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { writeToken } from '../../../lib/token.ts'
import { hasUnsent, openUnsent, readDraft, useDraft, watchDraft, writeDraft } from './unsent.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
})

test('drafts and unsent messages go with the log-out, also on a page that sends nothing', () => {
  writeToken('token')
  writeDraft('me', 'them', 'Half a thought')
  const message = {
    clientMessageId: 'one',
    recipientId: 'them',
    conversationId: 'conversation',
    content: 'Hello',
    replyTo: null,
    uploadKeys: [],
    mediaIds: [],
    price: null,
    createdAt: new Date(0).toISOString(),
    state: 'waiting' as const,
    error: null,
    notBefore: null,
  }
  openUnsent('me').write([message])
  // Another login of the same person takes nothing away.
  writeToken('another')
  expect([readDraft('me', 'them'), hasUnsent('me')]).toEqual(['Half a thought', true])
  writeToken(null)
  expect([readDraft('me', 'them'), hasUnsent('me')]).toEqual(['', false])
})

test('drafts are parsed once for each change, and a draft is told to its own row alone', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const read = vi.spyOn(Storage.prototype, 'getItem')
  const people = Array.from({ length: 30 }, (_, at) => `person ${at}`)
  const rows = people.map((person) => renderHook(() => useDraft('me', person)))
  parse.mockClear()
  read.mockClear()
  const typed = ['H', 'He', 'Hel', 'Hell', 'Hello']
  for (const text of typed) act(() => writeDraft('me', 'person 7', text))
  expect(rows.map(({ result }) => result.current)).toEqual(
    people.map((person) => (person === 'person 7' ? 'Hello' : '')),
  )
  expect(parse.mock.calls.length).toBeLessThanOrEqual(typed.length)
  // Reading is the writer's and that row's, not of all rows.
  expect(read.mock.calls.length).toBeLessThan(people.length)
  // Another tab's words are parsed as well, once.
  localStorage.setItem('drafts', JSON.stringify({ personId: 'me', texts: { 'person 3': 'Elsewhere' } }))
  parse.mockClear()
  for (const { rerender } of rows) rerender()
  expect(rows[3]?.result.current).toBe('Elsewhere')
  expect(parse).toHaveBeenCalledOnce()
  vi.restoreAllMocks()
})

test('what was typed to somebody stays, whomever else one begins to write to', () => {
  writeDraft('me', 'oldest', 'First')
  for (let at = 1; at < 500; at++) writeDraft('me', `newer ${at}`, 'Hi')
  expect(readDraft('me', 'oldest')).toBe('First')
})

test('a draft that makes room for a newer one leaves its row', () => {
  const { result } = renderHook(() => useDraft('me', 'oldest'))
  act(() => writeDraft('me', 'oldest', 'First'))
  expect(result.current).toBe('First')
  act(() => {
    for (let at = 0; at < 500; at++) writeDraft('me', `newer ${at}`, 'Hi')
  })
  expect(result.current).toBe('')
})

test.each([
  ['sent in another tab', { texts: { a: 'Hi', b: 'Ho' } }, { texts: { b: 'Ho' } }, ['Hi']],
  ['changed there', { texts: { a: 'Hi' } }, { texts: { a: 'Hi!' } }, []],
  ['left out for a newer one', { texts: { a: 'Hi', b: 'Ho' } }, { texts: { b: 'Ho', c: 'Hey' } }, []],
  ['forgotten, as its writer logged out', { texts: { a: 'Hi' } }, null, []],
  ['followed by another person’s', { texts: { a: 'Hi' } }, { personId: 'she', texts: {} }, []],
])('of a draft that was %s another tab hears no more than that', (_, before, after, heard) => {
  const told: string[] = []
  const stop = watchDraft('me', 'a', (text) => told.push(text))
  const kept = (drafts: object | null) => drafts && JSON.stringify({ personId: 'me', ...drafts })
  const event = { key: 'drafts', oldValue: kept(before), newValue: kept(after) }
  dispatchEvent(new StorageEvent('storage', event))
  stop()
  dispatchEvent(new StorageEvent('storage', event))
  expect(told).toEqual(heard)
})
