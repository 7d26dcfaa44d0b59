import { describe, expect, it } from 'vitest'
import { cleanForumUsername, mismatched, type SignupForm, signupErrors } from './signup-form.ts'

const filled: SignupForm = {
  firstName: 'Ana',
  lastName: '',
  email: 'ana@example.com',
  redditUsername: 'ana_forum',
  username: 'ana',
  password: 'long enough',
  confirmation: 'long enough',
  isCreator: 'true',
}

describe('signupErrors', () => {
  it('lets a filled form pass, without a last name', () => {
    expect(signupErrors(filled)).toEqual({})
  })

  it.each<[keyof SignupForm, Partial<SignupForm>, string]>([
    ['password', { password: '1234567', confirmation: '1234567' }, 'Password must be 8 or more characters'],
    ['confirmation', { confirmation: 'another one' }, 'Password must match confirmation'],
    ['isCreator', { isCreator: null }, "You need to select whether you're a creator or not."],
    ['email', { email: 'ana@' }, 'Enter a valid email address.'],
    ['firstName', { firstName: '  ' }, 'Enter your first name.'],
    ['redditUsername', { redditUsername: '' }, 'Enter your forum username.'],
    ['username', { username: '' }, 'Choose a username.'],
  ])('names only %s', (field, change, text) => {
    expect(signupErrors({ ...filled, ...change })).toEqual({ [field]: text })
  })
})

describe('cleanForumUsername', () => {
  it.each([
    ['/u/ana', 'ana'],
    ['u/ana', 'ana'],
    ['/U/ana b', 'anab'],
    [' /u/ ana ', 'ana'],
    ['ana', 'ana'],
  ])('%s becomes %s', (typed, clean) => {
    expect(cleanForumUsername(typed)).toBe(clean)
  })
})

describe('mismatched', () => {
  it('waits until the confirmation was started', () => {
    expect(mismatched({ ...filled, confirmation: '' })).toBe(false)
    expect(mismatched({ ...filled, confirmation: 'l' })).toBe(true)
    expect(mismatched(filled)).toBe(false)
  })
})
