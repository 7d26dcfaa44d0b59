import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { showAtOnce } from './shown-at-once.ts'

const KEY = ['settings']
type Settings = { sound: boolean; hours: number }

function begins() {
  const client = new QueryClient()
  client.setQueryData<Settings>(KEY, { sound: true, hours: 1 })
  const changes = (part: Partial<Settings>) =>
    showAtOnce<Settings>(client, KEY, (settings) => ({ ...settings, ...part }))
  return { changes, shown: () => client.getQueryData<Settings>(KEY), client }
}

test('a change is shown at once, and gone once it failed', () => {
  const { changes, shown } = begins()
  const change = changes({ sound: false })
  expect(shown()).toEqual({ sound: false, hours: 1 })
  change.takeBack()
  expect(shown()).toEqual({ sound: true, hours: 1 })
})

test('of several changes the one that failed goes, in whatever order they are answered', () => {
  const { changes, shown } = begins()
  const [off, later, on] = [changes({ sound: false }), changes({ hours: 2 }), changes({ sound: true })]
  off.takeBack()
  expect(shown()).toEqual({ sound: true, hours: 2 })
  on.takeBack()
  expect(shown()).toEqual({ sound: true, hours: 2 })
  later.keep()
  changes({ hours: 3 }).takeBack()
  expect(shown()).toEqual({ sound: true, hours: 2 })
})

test('off and on again without a network ends as the server has it', () => {
  const { changes, shown } = begins()
  const both = [changes({ sound: false }), changes({ sound: true }), changes({ sound: false })]
  for (const change of both) change.takeBack()
  expect(shown()).toEqual({ sound: true, hours: 1 })
})

test('of two changes that are answered in reverse order the later one stands', () => {
  const { changes, shown } = begins()
  const [off, on, hours] = [changes({ sound: false }), changes({ sound: true }), changes({ hours: 2 })]
  on.keep()
  off.keep()
  hours.takeBack()
  expect(shown()).toEqual({ sound: true, hours: 1 })
})

test('what is fetched meanwhile is what the server has', async () => {
  const { changes, shown, client } = begins()
  const [off, later] = [changes({ sound: false }), changes({ sound: false })]
  await client.fetchQuery({ queryKey: KEY, queryFn: () => ({ sound: true, hours: 5 }), staleTime: 0 })
  expect(shown()).toEqual({ sound: false, hours: 5 })
  off.takeBack()
  later.takeBack()
  expect(shown()).toEqual({ sound: true, hours: 5 })
})

test('one person’s changes are forgotten when the next one logs in', async () => {
  const { changes, shown, client } = begins()
  const [hangs, fails] = [changes({ sound: false }), changes({ hours: 2 })]
  await client.resetQueries()
  client.setQueryData<Settings>(KEY, { sound: true, hours: 9 })
  const own = changes({ hours: 8 })
  fails.takeBack()
  expect(shown()).toEqual({ sound: true, hours: 8 })
  hangs.keep()
  own.takeBack()
  expect(shown()).toEqual({ sound: true, hours: 9 })
})

test('what isn’t loaded stays so', () => {
  const client = new QueryClient()
  const change = showAtOnce<Settings>(client, KEY, () => ({ sound: true, hours: 1 }))
  change.keep()
  change.takeBack()
  expect(client.getQueryData(KEY)).toBeUndefined()
})
