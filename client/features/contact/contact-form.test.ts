import { expect, test } from 'vitest'
import { contactErrors } from './contact-form.ts'

test.each([
  [{ email: ' ada@example.test ', message: 'Ten chars.' }, []],
  [{ email: 'ada@example', message: 'Ten chars.' }, ['email']],
  [{ email: '', message: 'Ten chars.' }, ['email']],
  [{ email: 'ada@example.test', message: '  nine chr   ' }, ['message']],
  [{ email: 'ada@example.test', message: 'x'.repeat(5000) }, []],
  [{ email: 'ada@example.test', message: 'x'.repeat(5001) }, ['message']],
  [{ email: 'a b@example.test', message: '' }, ['email', 'message']],
])('%o has wrong fields %j', (form, fields) => {
  expect(Object.keys(contactErrors(form))).toEqual(fields)
})
