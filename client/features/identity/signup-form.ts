import { MIN_PASSWORD_LENGTH } from '../../../contract/constants.ts'

/** What the sign-up form holds while it is filled in. */
export type SignupForm = {
  firstName: string
  lastName: string
  email: string
  redditUsername: string
  username: string
  password: string
  confirmation: string
  isCreator: 'true' | 'false' | null
}

export const EMPTY_SIGNUP: SignupForm = {
  firstName: '',
  lastName: '',
  email: '',
  redditUsername: '',
  username: '',
  password: '',
  confirmation: '',
  isCreator: null,
}

export type SignupErrors = Partial<Record<keyof SignupForm, string>>

/** A forum username as it is typed: no leading `/u/`, no white space (docs/product.md, Texts). */
export function cleanForumUsername(typed: string): string {
  return typed.replace(/\s+/g, '').replace(/^\/?u\//i, '')
}

/** True once a confirmation was started that is not the password (docs/product.md, Texts). */
export function mismatched({ password, confirmation }: SignupForm): boolean {
  return confirmation !== '' && password !== confirmation
}

/** What still stops the form from being sent, by field, in the words of docs/product.md, Texts. Empty when nothing does. */
export function signupErrors(form: SignupForm): SignupErrors {
  const errors: SignupErrors = {}
  if (form.firstName.trim() === '') errors.firstName = 'Enter your first name.'
  if (!/^\S+@\S+\.\S+$/.test(form.email.trim())) errors.email = 'Enter a valid email address.'
  if (form.redditUsername === '') errors.redditUsername = 'Enter your forum username.'
  if (form.username.trim() === '') errors.username = 'Choose a username.'
  if (form.password.length < MIN_PASSWORD_LENGTH) errors.password = 'Password must be 8 or more characters'
  if (form.password !== form.confirmation) errors.confirmation = 'Password must match confirmation'
  if (form.isCreator === null) errors.isCreator = "You need to select whether you're a creator or not."
  return errors
}
