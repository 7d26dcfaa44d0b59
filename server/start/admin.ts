import { parseArgs } from 'node:util'
import { z } from 'zod'
import { errors } from '../../contract/errors.ts'
import { routes } from '../../contract/index.ts'
import { ROLES } from '../../contract/permissions.ts'
import { Month } from '../../contract/routes/commerce/statements.ts'
import { Email } from '../../contract/routes/identity/account.ts'
import { Reason } from '../../contract/schemas.ts'
import type { Vault } from '../crypto/vault.ts'
import { writeAudit } from '../db/audit.ts'
import { sealRecords } from '../db/chains.ts'
import type { Db } from '../db/client.ts'
import { findBooks } from '../domains/commerce/ledger/books/data.ts'
import { findMonth } from '../domains/commerce/ledger/books/months/data.ts'
import { presentMonth } from '../domains/commerce/ledger/books/months/present.ts'
import { presentBooks } from '../domains/commerce/ledger/books/present.ts'
import { createAccount, promoteToSuperadmin } from '../domains/identity/account/actions.ts'
import { findHolders } from '../domains/identity/data.ts'
import { hashPassword, refuseWeakPassword } from '../domains/identity/passwords/actions.ts'
import { setRole } from '../domains/identity/roles/actions.ts'
import { AppError } from '../errors.ts'
import { blockedFile } from './blocked-file.ts'
import { rotateKeys } from './rotation.ts'
import { clearForum } from './sandbox-forum.ts'
import { FactorRemoval, removeSecondFactor } from './second-factor.ts'

/** How a command ended, and what it tells the operator. */
export type AdminResult = { ok: boolean; output: string }

const NO_ROLE = 'none'

const HELP = `Usage: npm run admin -- <command> [options]

Commands
  create-superadmin   Creates an account with the operator's tools and a confirmed email address.
                      If an account already uses the address, it is promoted instead:
                      it gets the given password, and everyone logged in to it is logged out,
                      and a suspension of it ends.
    --email           email address
    --username        username; for an existing account, its own
    --password        password, 8 or more characters
    --reason          why, for the audit log (optional)

  set-role            Gives an account a role, or removes it, and records that in the audit log.
    --email           email address of the account
    --role            ${[...ROLES, NO_ROLE].join(', ')}
    --reason          why, for the audit log

  remove-second-factor
                      Lets someone who lost their authenticator app and recovery codes log in by password alone:
                      removes both, logs them out everywhere, emails them, and records that in the audit log.
                      Make sure first that it's them who asks.
    --email           email address of the account
    --passkeys        removes its passkeys too; an account that has any is refused otherwise
    --reason          why, for the audit log, and how you know that it's them

  books               Accounts for every cent in the ledger, checks the hash chains of its journals,
                      payment and payout events, commissions, and audit log, and fails if something
                      doesn't match.
    --month           a month in UTC, such as 2026-10: prints only that month's books, with the opening and
                      closing balance of each account, and what changed it

  blocked-file        Says what a file that can't be uploaded was taken down for. With a reason, anyone can
                      upload it again, and that is recorded in the audit log.
    --sha256          fingerprint of the file, or the whole line that sha256sum prints
    --reason          why, to end the block

  migrate             Updates the database to the latest schema. Every start does this too.

  rotate-keys         Re-encrypts everything that is stored encrypted, with SECRET_KEY. You can remove
                      the older secrets in SECRET_KEY_PREVIOUS afterward.

  clear-forum         Deletes what trying the forum's sandbox left, so that this database can start with the
                      real one: accounts, subreddits, posts, queues and messages of everybody. Refuses
                      in a database of the real forum. Stop the server first.
    --confirm         deletes; without it you're only told how much there is

  --help              Shows this text.`

const Superadmin = routes.signup.body.pick({ email: true, username: true, password: true })

/** Runs one of the operator's commands on a migrated database (docs/product.md, Sandbox and sample data); never throws for a wrong command line. */
export async function runAdmin(args: string[], db: Db, vault: Vault, now: Date): Promise<AdminResult> {
  const line = readLine(args)
  if ('wrong' in line) return refuse(`${line.wrong} Run with --help to see how.`)
  const { command, options } = line
  if (options.help || command === undefined) return { ok: options.help === true, output: HELP }
  if (command === 'migrate') return { ok: true, output: 'The database is up to date.' }
  if (command === 'books' && options.month !== undefined) {
    const parsed = z.object({ month: Month }).safeParse(options)
    if (!parsed.success) return refuseOption(parsed.error)
    const { month } = parsed.data
    return { ok: true, output: presentMonth(month, await findMonth(db, month), now) }
  }
  if (command === 'books') {
    await sealRecords(db)
    const books = await findBooks(db)
    return { ok: books.discrepancies.length === 0, output: presentBooks(books, now) }
  }
  if (command === 'rotate-keys') {
    const resealed = await rotateKeys(db, { vault, now })
    return {
      ok: true,
      output: `Re-encrypted ${resealed} rows with SECRET_KEY. All other rows already used it.`,
    }
  }
  if (command === 'clear-forum') return clearSandboxForum(db, options, now)
  if (command === 'blocked-file') return blockedFile(db, options, now)
  if (command === 'set-role') return assignRole(db, options, now)
  if (command === 'remove-second-factor') return openLostAccount(db, options, now)
  if (command !== 'create-superadmin')
    return refuse(`Unknown command ${command}. Run with --help to see all commands.`)
  const missing = (['email', 'username', 'password'] as const).filter((name) => options[name] === undefined)
  if (missing.length) return refuse(`Add ${missing.map((name) => `--${name}`).join(', ')}.`)
  const parsed = Superadmin.safeParse(options)
  if (!parsed.success) return refuseOption(parsed.error)
  return createSuperadmin(db, { ...parsed.data, reason: options.reason ?? 'From the command line', now })
}

const RoleChange = z.object({
  email: Email,
  role: z.enum([...ROLES, NO_ROLE], `Use one of ${[...ROLES, NO_ROLE].join(', ')}.`),
  reason: Reason,
})

async function assignRole(db: Db, options: Options, now: Date): Promise<AdminResult> {
  const missing = (['email', 'role', 'reason'] as const).filter((name) => options[name] === undefined)
  if (missing.length) return refuse(`Add ${missing.map((name) => `--${name}`).join(', ')}.`)
  const parsed = RoleChange.safeParse(options)
  if (!parsed.success) return refuseOption(parsed.error)
  const { email, reason } = parsed.data
  const role = parsed.data.role === NO_ROLE ? null : parsed.data.role
  const [holder] = await findHolders(db, { email, username: '' })
  if (!holder) return refuse(`No account uses ${email}.`)
  try {
    await db
      .transaction()
      .execute((transaction) => setRole(transaction, { actorId: null, userId: holder.id, role, reason, now }))
  } catch (error) {
    if (error instanceof AppError) return refuse(errors[error.code].text)
    throw error
  }
  return { ok: true, output: `The role of ${holder.username} is now ${role ?? NO_ROLE}.` }
}

async function openLostAccount(db: Db, options: Options, now: Date): Promise<AdminResult> {
  const missing = (['email', 'reason'] as const).filter((name) => options[name] === undefined)
  if (missing.length) return refuse(`Add ${missing.map((name) => `--${name}`).join(', ')}.`)
  const parsed = FactorRemoval.safeParse(options)
  return parsed.success ? removeSecondFactor(db, parsed.data, now) : refuseOption(parsed.error)
}

async function clearSandboxForum(db: Db, options: Options, now: Date): Promise<AdminResult> {
  const clearing = await clearForum(db, { confirmed: options.confirm === true, now })
  if (clearing.forum !== 'sandbox')
    return refuse(
      clearing.forum === 'real'
        ? 'This database belongs to the real forum, and clear-forum deletes only what the sandbox left.'
        : 'No forum was used with this database, so there is nothing to clear.',
    )
  const { accounts, subreddits, posts, scheduled, threads } = clearing.found
  const found = `accounts ${accounts}, subreddits ${subreddits}, posts ${posts}, items on the timeline ${scheduled}, message threads ${threads}`
  return clearing.cleared
    ? { ok: true, output: `Deleted what the forum’s sandbox left: ${found}.` }
    : refuse(`Add --confirm to delete what the forum’s sandbox left: ${found}.`)
}

type Options = {
  email?: string
  username?: string
  password?: string
  role?: string
  reason?: string
  month?: string
  sha256?: string
  confirm?: boolean
  passkeys?: boolean
  help?: boolean
}

function readLine(args: string[]): { command: string | undefined; options: Options } | { wrong: string } {
  try {
    const { values, positionals, tokens } = parseArgs({
      args,
      allowPositionals: true,
      tokens: true,
      options: {
        email: { type: 'string' },
        username: { type: 'string' },
        password: { type: 'string' },
        role: { type: 'string' },
        reason: { type: 'string' },
        month: { type: 'string' },
        sha256: { type: 'string' },
        confirm: { type: 'boolean' },
        passkeys: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    // A line of `sha256sum` goes on with the file's name, also without quotes; a reason without quotes would be cut.
    const options = tokens.filter((token) => token.kind === 'option')
    const stray = tokens
      .filter((token) => token.kind === 'positional')
      .slice(1)
      .find(({ index }) => options.findLast((option) => option.index < index)?.name !== 'sha256')
    if (stray) return { wrong: `Unexpected argument ${stray.value}.` }
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
          `The account with ${email} has another username, ${existing.username}. Use that one to promote it.`,
        )
      }
      if (!existing && holders.length)
        return refuse(`The username ${username} belongs to another account. Choose a different one.`)
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
          referredByShared: null,
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
          ? `${existing.username} is now a superadmin with the new password.`
          : `Created the superadmin ${username}.`,
      }
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'signup_taken') {
      return refuse('The email or username was just taken. Try again.')
    }
    if (error instanceof AppError && error.code.startsWith('password_'))
      return refuse(`--password is invalid: ${errors[error.code].text}`)
    throw error
  }
}

function refuseOption({ issues: [issue] }: z.ZodError): AdminResult {
  return refuse(`--${issue?.path.join('.')} is invalid: ${issue?.message}`)
}

function refuse(output: string): AdminResult {
  return { ok: false, output }
}
