import { routes } from '../contract/index.ts'
import { type Api, createApi } from '../server/testing/api.ts'
import { waitUntil } from './waiting.ts'

/** Somebody with an account and a session in the running product. */
export type Person = { id: string; username: string; email: string; password: string; token: string }

export const PASSWORD = 'a long enough password'

/** A name that nobody else in this run has. */
export function freshName(word: string): string {
  return `${word}-${crypto.randomUUID().slice(0, 8)}`
}

/** A caller of the product's API as this person, or as a visitor. */
export function apiOf(origin: string, person?: Pick<Person, 'token'>): Api {
  return createApi(origin, person?.token ?? null)
}

/** Signs up by the API; the email address is not confirmed yet. */
export async function signUp(
  origin: string,
  kind: 'creator' | 'fan',
  username = freshName(kind),
): Promise<Person> {
  const email = `${username}@example.test`
  const visitor = apiOf(origin)
  const { token } = await visitor.call(routes.signup, {
    body: {
      firstName: username.split('-')[0] ?? username,
      email,
      username,
      redditUsername: username.slice(0, 20),
      password: PASSWORD,
      isCreator: kind === 'creator',
    },
  })
  const { _id: id } = await apiOf(origin, { token }).call(routes.me, {})
  return { id, username, email, password: PASSWORD, token }
}

/** Signs up by the API and confirms by the link of the mail. */
export async function joins(origin: string, kind: 'creator' | 'fan', username?: string): Promise<Person> {
  const person = await signUp(origin, kind, username)
  const link = new URL(await confirmationLink(origin, person.email))
  await apiOf(origin).call(routes.confirmEmail, {
    body: {
      email: link.searchParams.get('email') ?? '',
      token: link.searchParams.get('token') ?? '',
    },
  })
  return person
}

/** A new session of somebody who has an account. */
export async function logIn(origin: string, account: { email: string; password: string }): Promise<string> {
  const { token } = await apiOf(origin).call(routes.login, { body: account })
  if (!token) throw new Error('a second factor is asked for')
  return token
}

/** What a story's server that needs one is started with, so that its mailbox is read. */
export const SANDBOX_TOKEN = 'only the operator knows'

type Mail = { to: string; subject: string; text: string }

/** The mails that the sandbox's mailbox holds for this address, newest first. */
export async function mailsTo(origin: string, address: string): Promise<Mail[]> {
  const response = await fetch(`${origin}/sandbox/mail/messages?to=${encodeURIComponent(address)}`, {
    headers: { 'x-sandbox-token': SANDBOX_TOKEN },
  })
  return ((await response.json()) as { items: Mail[] }).items
}

/** The link of the newest confirmation mail, once `count` of them have arrived. */
export async function confirmationLink(origin: string, address: string, count = 1): Promise<string> {
  const mails = await waitUntil(async () => {
    const arrived = await mailsTo(origin, address)
    return arrived.length >= count && arrived
  })
  const [link] = /https?:\/\/\S+\/emailconfirmation\S+/.exec(mails[0]?.text ?? '') ?? []
  if (!link) throw new Error(`no link in the mail: ${mails[0]?.text}`)
  return link
}
