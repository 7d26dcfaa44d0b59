import { TOTP } from 'otpauth'
import { routes } from '../../contract/index.ts'
import { hashPassword } from '../domains/identity/passwords/actions.ts'
import type { Api } from './api.ts'
import { buildSession, buildUser, type Person } from './builders.ts'
import type { Harness } from './harness.ts'

export const PASSWORD = 'correct horse battery'

let hashed: Promise<string> | undefined

/** A person who can log in by `PASSWORD`, and who has just re-authenticated in its session. */
export async function buildAccount(
  harness: Harness,
  options: Parameters<typeof buildUser>[1] = {},
): Promise<Person> {
  const person = await buildUser(harness, options)
  const { db, clock } = harness.context
  hashed ??= hashPassword(PASSWORD)
  const password_hash = await hashed
  await db.updateTable('users').set({ password_hash }).where('id', '=', person.id).execute()
  return { ...person, token: await buildSession(harness, person.id, { reauthenticatedAt: clock.now() }) }
}

/** A further session of a person, who has just re-authenticated in it. */
export async function reauthenticatedApi(harness: Harness, { id }: { id: string }): Promise<Api> {
  const reauthenticatedAt = harness.clock.now()
  return harness.api.as({ token: await buildSession(harness, id, { reauthenticatedAt }) })
}

/** Has a person delete their account. */
export async function leave(harness: Harness, { id }: { id: string }) {
  return (await reauthenticatedApi(harness, { id })).call(routes.deleteAccount, { params: { userId: id } })
}

/** The code that an authenticator app with this secret shows at that moment. */
export function codeAt(secret: string, moment: Date): string {
  return TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: moment.getTime() })
}

/** Sets up an authenticator app; answers its secret and the recovery codes. */
export async function setUpApp(
  harness: Harness,
  api: Api,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await api.call(routes.startTotp, {})
  const code = codeAt(secret, harness.clock.now())
  const { recoveryCodes } = await api.call(routes.confirmTotp, { body: { code } })
  return { secret, recoveryCodes: recoveryCodes ?? [] }
}

export type EmailContent = { to: string; subject: string; text: string }

/** The mails to an address once the queue is worked, newest first. */
export async function emailsTo(harness: Harness, address: string): Promise<EmailContent[]> {
  await harness.runJobs()
  const answer = await fetch(
    `${harness.sandboxOrigin}/sandbox/mail/messages?to=${encodeURIComponent(address)}`,
  )
  return ((await answer.json()) as { items: EmailContent[] }).items
}
