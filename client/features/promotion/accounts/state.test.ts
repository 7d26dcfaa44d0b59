import { expect, test } from 'vitest'
import { redirectOf } from './state.ts'

const ME = '01890000-0000-7000-8000-000000000001'
const read = (query: string) => redirectOf(new URLSearchParams(query), ME)

test('a redirect of this person’s own is confirmed', () => {
  expect(read(`code=abc&state=${ME}.1.n.s`)).toEqual({ kind: 'allowed', code: 'abc', state: `${ME}.1.n.s` })
})

test.each([
  ['another person’s', 'code=abc&state=01890000-0000-7000-8000-000000000002.1.n.s', 'other-person'],
  ['one whose id only begins like this one’s', `code=abc&state=${ME}0.1.n.s`, 'other-person'],
  ['a refusal', `error=access_denied&state=${ME}.1.n.s`, 'denied'],
  ['another error', `error=invalid_request&code=abc&state=${ME}.1.n.s`, 'error'],
  ['nothing', '', 'nothing'],
  ['no state', 'code=abc', 'nothing'],
])('%s isn’t', (_, query, kind) => {
  expect(read(query)).toEqual({ kind })
})
