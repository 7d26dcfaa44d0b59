/** What is wrong with each field, in a sentence. */
export type ContactErrors = Partial<Record<string, string>>

const MIN_MESSAGE_LENGTH = 10
const MAX_MESSAGE_LENGTH = 5000

/** What is wrong with the form before it is sent; the server checks the same again. */
export function contactErrors({ email, message }: { email: string; message: string }): ContactErrors {
  const length = message.trim().length
  return {
    ...(/^\S+@\S+\.\S+$/.test(email.trim()) ? {} : { email: 'Enter a valid email address.' }),
    ...(length < MIN_MESSAGE_LENGTH ? { message: 'Write at least 10 characters.' } : {}),
    ...(length > MAX_MESSAGE_LENGTH ? { message: 'At most 5000 characters.' } : {}),
  }
}
