import { describe, expect, test } from 'vitest'
import { bundleRoutes } from '../../../contract/routes/commerce/bundles.ts'
import { contactRoutes } from '../../../contract/routes/compliance/contact.ts'
import { accountRoutes } from '../../../contract/routes/identity/account.ts'
import { loginRoutes } from '../../../contract/routes/identity/login.ts'
import { libraryRoutes } from '../../../contract/routes/media/library.ts'
import { profileRoutes } from '../../../contract/routes/profiles/profiles.ts'
import { ApiError } from '../../lib/api.ts'
import { contractErrors, errorsAtFields, generalError, withoutField } from './form-errors.ts'

const FIELDS = ['title', 'links', 'password']

function refusal(details?: Record<string, string>) {
  return new ApiError(400, {
    error: 'The sentence of the whole.',
    code: 'invalid_input',
    ...(details ? { details } : {}),
  })
}

describe('the contract’s sentences', () => {
  const account = {
    ...{
      firstName: 'Ana',
      lastName: '',
      email: 'ana@example.test',
      username: 'ana',
      redditUsername: 'ana_f',
    },
    ...{ password: 'long enough', isCreator: 'true' },
  }
  test.each([
    [{}, {}],
    [{ firstName: '  ' }, { firstName: 'Enter your first name.' }],
    [{ email: 'ana@' }, { email: 'Enter a valid email address.' }],
    [{ username: '' }, { username: 'Choose a username.' }],
    [{ username: 'a b' }, { username: 'Use 2 to 30 letters, numbers, periods, dashes, or underscores.' }],
    [{ redditUsername: '' }, { redditUsername: 'Enter your forum username.' }],
    [{ password: '1234567' }, { password: 'Password must be 8 or more characters' }],
    [{ isCreator: null }, { isCreator: "You need to select whether you're a creator or not." }],
  ])('of a sign-up with %j', (change, found) => {
    const sent = { ...account, ...change }
    expect(contractErrors(accountRoutes.signup.body, sent, Object.keys(account))).toEqual(found)
  })

  test.each([
    [loginRoutes.login, { email: ' ', password: '' }, ['Enter your email.', 'Enter your password.']],
    [bundleRoutes.editBundle, { title: ' ', price: '' }, ['Must include title', 'Must include price']],
    [
      contactRoutes.contact,
      { email: 'a b@c', message: 'nine chr ' },
      ['Enter a valid email address.', 'Enter at least 10 characters.'],
    ],
    [
      libraryRoutes.editMedia,
      { price: '', performerIds: [] },
      ['Must include price', 'Choose at least one person.'],
    ],
    [libraryRoutes.unlockMedia, { customerId: '' }, ['Choose a person.']],
  ])('%#', (route, sent, sentences) => {
    const found = contractErrors(route.body, sent, Object.keys(sent))
    expect(Object.values(found).sort()).toEqual(sentences.sort())
  })

  test('stand at the part of a field that they are about, the first of each', () => {
    const links = JSON.stringify([
      { text: 'Shop', link: 'https://a.test' },
      { text: '', link: 'javascript:alert(1)' },
    ])
    expect(contractErrors(profileRoutes.editProfile.body, { links }, ['links'])).toEqual({
      'links.1.text': 'Each link needs both text and URL.',
      'links.1.link': 'Enter a URL that starts with https:// or http://',
    })
  })

  test('say nothing of what the form has no field for', () => {
    expect(contractErrors(bundleRoutes.editBundle.body, { title: 'A', price: '$1' }, FIELDS)).toEqual({})
    expect(contractErrors(undefined, {}, FIELDS)).toEqual({})
  })
})

describe('what the server says', () => {
  test('of a field stands there, and nowhere else', () => {
    const error = refusal({ password: 'Too common.', 'links.0.text': 'Too long.' })
    expect(errorsAtFields(error, FIELDS)).toEqual(error.details)
    expect(generalError(error, FIELDS)).toBeNull()
  })

  test('of what the form has no field for is said of the whole, without what stands at a field', () => {
    const error = refusal({ title: 'Too long.', referralCode: 'Nobody has this code.' })
    expect(errorsAtFields(error, FIELDS)).toEqual({ title: 'Too long.' })
    expect(generalError(error, FIELDS)).toBe('Nobody has this code.')
  })

  test('without a field is the sentence of the whole, in the form’s own words if it has some', () => {
    expect(generalError(refusal(), FIELDS)).toBe('The sentence of the whole.')
    expect(generalError(refusal(), FIELDS, () => 'Ours.')).toBe('Ours.')
    expect(generalError(new Error('TypeError: x'), FIELDS)).toBe('Something went wrong. Please try again.')
    expect(generalError(null, FIELDS)).toBeNull()
    expect(errorsAtFields(new Error('x'), FIELDS)).toEqual({})
  })
})

test('a field that was changed loses what was said of it and of its parts, and no other does', () => {
  const errors = { links: 'a', 'links.0.text': 'b', linksAbove: 'c', title: 'd' }
  expect(withoutField(errors, 'links')).toEqual({ linksAbove: 'c', title: 'd' })
  expect(withoutField(errors, 'price')).toEqual(errors)
})
