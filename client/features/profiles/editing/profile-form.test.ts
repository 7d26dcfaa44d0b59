import { expect, test } from 'vitest'
import {
  changeOf,
  completeAddress,
  type ProfileForm,
  profileChanged,
  rowPath,
  sentLinks,
} from './profile-form.ts'

const form: ProfileForm = {
  firstName: 'Ada',
  lastName: '',
  username: 'ada',
  redditUsername: 'ada',
  recognizable: false,
  email: 'ada@example.test',
  bio: '',
  menu: '',
  limits: '',
  links: [],
  profileImage: null,
  profileHeroImage: null,
}
const link = (text: string, address: string) => ({ key: 'a', text, link: address })

test('an address without a scheme is one of the web', () => {
  expect(completeAddress(' example.test/a ')).toBe('https://example.test/a')
  expect(completeAddress('http://example.test')).toBe('http://example.test')
  expect(completeAddress('javascript:alert(1)')).toBe('javascript:alert(1)')
})

test('links are sent with whole addresses, and rows that were left empty are none', () => {
  expect(sentLinks([link('', ''), link('Shop', 'a.test')])).toBe('[{"text":"Shop","link":"https://a.test"}]')
})

test('what is said of a link that was sent is said at its row, empty rows not counted', () => {
  const rows = [link('', ''), { key: 'b', text: 'B', link: '' }]
  expect(rowPath('links.0.link', rows)).toBe('links.1.link')
  expect(rowPath('links', rows)).toBe('links')
  expect(rowPath('username', rows)).toBe('username')
})

test('leaving loses what was typed, and nothing by an empty row', () => {
  expect(profileChanged(form, { ...form })).toBe(false)
  expect(profileChanged({ ...form, links: [link('', '')] }, form)).toBe(false)
  expect(profileChanged({ ...form, bio: 'New.' }, form)).toBe(true)
  expect(profileChanged({ ...form, links: [link('Shop', '')] }, form)).toBe(true)
})

test('only what was changed is sent, so that what another tab saved meanwhile stays', () => {
  const saved = { ...form, links: [link('Shop', 'https://a.test')] }
  expect(changeOf(saved, saved)).toEqual({})
  expect(changeOf({ ...saved, links: [...saved.links, link('', '')] }, saved)).toEqual({})
  const now = { ...saved, bio: 'New.', recognizable: true, links: [] }
  expect(changeOf(now, saved)).toEqual({ bio: 'New.', recognizable: 'true', links: '[]' })
})
