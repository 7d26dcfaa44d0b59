import { expect, test } from 'vitest'
import { readDraft, writeDraft } from './drafts.ts'
import { filterOf, inserted, titleOf } from './words.ts'

test('what is inserted stands apart from the words around it, in place of what is selected', () => {
  expect(inserted('', 'Hi', { start: 0, end: 0 })).toEqual({ text: 'Hi', cursor: 2 })
  expect(inserted('Look at', 'https://a.test', { start: 7, end: 7 })).toEqual({
    text: 'Look at https://a.test',
    cursor: 22,
  })
  expect(inserted('one two three', '2', { start: 4, end: 7 })).toEqual({ text: 'one 2 three', cursor: 5 })
  expect(inserted('ab', 'x', { start: 1, end: 1 })).toEqual({ text: 'a x b', cursor: 3 })
})

test('a saved reply is named by how it begins', () => {
  expect(titleOf('  Thanks!\nTalk soon ')).toBe('Thanks! Talk soon')
  const long = titleOf('word '.repeat(40))
  expect([long.length <= 60, long.endsWith('word…')]).toEqual([true, true])
})

test('the filter stands in the address', () => {
  const address = new URLSearchParams('ref=a&search=vase&removeContacted=true')
  expect(filterOf(address)).toEqual({ search: 'vase', removeContacted: true, ignored: false })
})

test('drafts are kept for each thread, and for nobody else', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  writeDraft('ada', 'one', 'Hello', storage)
  writeDraft('ada', 'two', 'There', storage)
  writeDraft('ada', 'two', '  ', storage)
  expect([readDraft('ada', 'one', storage), readDraft('ada', 'two', storage)]).toEqual(['Hello', ''])
  expect(readDraft('eve', 'one', storage)).toBe('')
  writeDraft('eve', 'three', 'Mine', storage)
  expect(readDraft('ada', 'one', storage)).toBe('')
  expect(readDraft('ada', 'one', undefined)).toBe('')
})

test('a hundred drafts are kept, the first of them too', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  for (let at = 0; at < 100; at++) writeDraft('ada', `thread ${at}`, `Draft ${at}`, storage)
  expect([readDraft('ada', 'thread 0', storage), readDraft('ada', 'thread 99', storage)]).toEqual([
    'Draft 0',
    'Draft 99',
  ])
})
