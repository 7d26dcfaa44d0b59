import { describe, expect, test } from 'vitest'
import {
  completeAddress,
  errorsAtRows,
  filledLinks,
  type ProfileForm,
  profileChanged,
  profileErrors,
} from './profile-form.ts'

const form: ProfileForm = {
  firstName: 'Ada',
  lastName: '',
  username: 'ada',
  redditUsername: 'ada',
  email: 'ada@example.test',
  bio: '',
  menu: '',
  limits: '',
  links: [],
}
const link = (text: string, address: string) => ({ key: 'a', text, link: address })

describe('the profile form', () => {
  test('that is filled in has no errors', () => {
    expect(profileErrors({ ...form, links: [link('Shop', 'https://a.test'), link('', '')] })).toEqual({})
  })

  test.each([
    [{ firstName: ' ' }, 'firstName', 'Enter your first name.'],
    [{ username: '' }, 'username', 'Choose a username.'],
    [{ redditUsername: '' }, 'redditUsername', 'Enter your forum username.'],
    [{ email: 'ada' }, 'email', 'Enter a valid email address.'],
    [{ links: [link('Shop', '')] }, 'links.a', 'Each link needs both text and URL.'],
    [{ links: [link('', 'https://a.test')] }, 'links.a', 'Each link needs both text and URL.'],
    [
      { links: [link('Shop', 'javascript:alert(1)')] },
      'links.a',
      'Enter an address that starts with https:// or http://',
    ],
  ])('%j is said at its field', (change, field, sentence) => {
    expect(profileErrors({ ...form, ...change })).toEqual({ [field]: sentence })
  })
})

test('an address without a scheme is one of the web', () => {
  expect(completeAddress(' example.test/a ')).toBe('https://example.test/a')
  expect(completeAddress('http://example.test')).toBe('http://example.test')
  expect(completeAddress('javascript:alert(1)')).toBe('javascript:alert(1)')
})

test('what the server says of a link is said at its row, empty rows not counted', () => {
  const sent = filledLinks([link('', ''), { key: 'b', text: 'B', link: 'x' }])
  expect(errorsAtRows({ 'links.0.link': 'No.', email: 'Bad.' }, sent)).toEqual({
    'links.b': 'No.',
    email: 'Bad.',
  })
})

test('leaving loses what was typed, and nothing by an empty row', () => {
  expect(profileChanged(form, { ...form })).toBe(false)
  expect(profileChanged({ ...form, links: [link('', '')] }, form)).toBe(false)
  expect(profileChanged({ ...form, bio: 'New.' }, form)).toBe(true)
  expect(profileChanged({ ...form, links: [link('Shop', '')] }, form)).toBe(true)
})
