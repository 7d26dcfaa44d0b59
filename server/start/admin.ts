import { parseArgs } from 'node:util'
import { errors } from '../../contract/errors.ts'
import { routes } from '../../contract/index.ts'
import { writeAudit } from '../db/audit.ts'
import type { Db } from '../db/client.ts'
import { createAccount, promoteToSuperadmin } from '../domains/identity/account/actions.ts'
import { findHolders } from '../domains/identity/data.ts'
import { hashPassword, refuseWeakPassword } from '../domains/identity/passwords/actions.ts'
import { AppError } from '../errors.ts'

/** How a command ended, and what it tells the operator. */
export type AdminResult = { ok: boolean; output: string }

const HELP = `Usage: npm run admin -- <command> [options]

Commands
  create-superadmin   Makes an account with the operator's tools, its e-mail confirmed.
                      When the e-mail has an account already, that account is promoted:
                      it gets the given password, and everybody logged in to it is logged out.
    --email           e-mail address
    --username        username; of an existing account, its own
    --password        password, 8 or more characters
    --reason          why, for the audit log (optional)

  migrate             Brings the database to the newest shape; every start does this too.

  --help              Shows this text.`

const Superadmin = routes.signup.body.pick({ email: true, username: true, password: true })

/** Runs one of the operator's commands on a migrated database (decisions §9); never throws for a wrong command line. */
export async function runAdmin(args: string[], db: Db, now: Date): Promise<AdminResult> {
  const line = readLine(args)
  if ('wrong' in line) return refuse(`${line.wrong} Run it with --help to see how.`)
  const { command, options } = line
  if (options.help || command === undefined) return { ok: options.help === true, output: HELP }
  if (command === 'migrate') return { ok: true, output: 'The database has the newest shape.' }
  if (command !== 'create-superadmin')
    return refuse(`There is no command ${command}. Run it with --help to see all.`)
  const missing = (['email', 'username', 'password'] as const).filter((name) => options[name] === undefined)
  if (missing.length) return refuse(`Please give ${missing.map((name) => `--${name}`).join(', ')}.`)
  const parsed = Superadmin.safeParse(options)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse(`--${issue?.path.join('.')} is not right: ${issue?.message}`)
  }
  return createSuperadmin(db, { ...parsed.data, reason: options.reason ?? '', now })
}

type Options = { email?: string; username?: string; password?: string; reason?: string; help?: boolean }

function readLine(args: string[]): { command: string | undefined; options: Options } | { wrong: string } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        username: { type: 'string' },
        password: { type: 'string' },
        reason: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (positionals.length > 1) return { wrong: `${positionals[1]} does not belong there.` }
    return { command: positionals[0], options: values }
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.\s|\n/)
    return { wrong: `${sentence.replace(/\.$/, '')}.` }
  }
}

async function createSuperadmin(
  db: Db,
  person: { email: string; username: string; password: string; reason: string; now: Date },
): Promise<AdminResult> {
  const { email, username, reason, now } = person
  try {
    refuseWeakPassword(person.password, { email, username, brand: '' })
    const passwordHash = await hashPassword(person.password)
    return await db.transaction().execute(async (transaction) => {
      const holders = await findHolders(transaction, { email, username })
      const existing = holders.find((holder) => holder.email === email)
      if (existing && existing.username.toLowerCase() !== username.toLowerCase()) {
        return refuse(
          `The account of ${email} has another username, ${existing.username}: give that one to promote it.`,
        )
      }
      if (!existing && holders.length)
        return refuse(`The username ${username} belongs to another account: choose a different one.`)
      if (existing) await promoteToSuperadmin(transaction, { userId: existing.id, passwordHash, now })
      const userId =
        existing?.id ??
        (await createAccount(transaction, {
          email,
          username,
          firstName: username,
          lastName: '',
          redditUsername: '',
          passwordHash,
          isCreator: false,
          role: 'superadmin',
          emailVerifiedAt: now,
          ageConfirmedAt: now,
          referredBy: null,
          sharedReferralCode: null,
          now,
        }))
      const action = existing ? 'superadmin.promoted' : 'superadmin.created'
      await writeAudit(transaction, {
        actorId: null,
        action,
        targetKind: 'user',
        targetId: userId,
        reason,
        detail: { username },
        now,
      })
      return {
        ok: true,
        output: existing
          ? `The account ${existing.username} is a superadmin now, with the new password.`
          : `The superadmin ${username} was created.`,
      }
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'signup_taken') {
      return refuse('The e-mail or username was taken a moment ago: try again.')
    }
    if (error instanceof AppError && error.code.startsWith('password_'))
      return refuse(`--password is not right: ${errors[error.code].text}`)
    throw error
  }
}

function refuse(output: string): AdminResult {
  return { ok: false, output }
}
