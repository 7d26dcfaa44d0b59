import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { StartError } from '../../errors.ts'
import { unusable } from './failures.ts'

/** How PostgreSQL's programs are run: PostgreSQL refuses to be root, and initdb wants a user with a name. */
export type Account = {
  /** The command that goes before the program's own. */
  prefix: string[]
  /** The user who must own the files, as this process sees it. Undefined where the system has no user ids. */
  uid: number | undefined
}

/**
 * Chooses the account for PostgreSQL. As root, or as a user without a name, it is an id in a user namespace of its
 * own, which needs no other owner of files; where that is refused, an unprivileged user who may pass closed folders.
 * @throws StartError when this user cannot run PostgreSQL
 */
export function chooseAccount(): Account {
  const uid = process.getuid?.()
  const ends = endsWithParent('INT')
  if (uid === undefined || (uid !== 0 && hasName())) return { prefix: ends, uid }

  const named = namedUser()
  if (named) {
    const namespace = ['unshare', '--user', `--map-user=${named.uid}`, `--map-group=${named.gid}`]
    if (works(namespace)) return { prefix: [...namespace, ...ends], uid }
    const unprivileged = [
      ...['setpriv', `--reuid=${named.uid}`, `--regid=${named.gid}`, '--clear-groups'],
      // Without it access(2) does not count the capability that lets it pass closed folders.
      '--securebits=+no_setuid_fixup',
      ...['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'],
    ]
    if (uid === 0 && works(unprivileged)) return { prefix: [...unprivileged, ...ends], uid: named.uid }
  }
  throw new StartError(
    uid === 0
      ? 'PostgreSQL cannot run as root here: start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.'
      : `The user with the id ${uid} has no name, which PostgreSQL needs: add it to /etc/passwd, or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

/**
 * Makes the account the owner of a folder and all that is in it.
 * @throws StartError when the folder belongs to somebody else and this user may not change that
 */
export function giveTo(account: Account, folder: string): void {
  if (account.uid === undefined || statSync(folder).uid === account.uid) return
  if (process.getuid?.() !== 0) throw unusable(folder)
  execFileSync('chown', ['-R', String(account.uid), folder])
}

/** A command that sends its program a signal when this process dies, however it dies; empty where there is none. */
function endsWithParent(signal: string): string[] {
  const command = ['setpriv', '--pdeathsig', signal]
  return works(command) ? command : []
}

function works([command = '', ...args]: string[]): boolean {
  return spawnSync(command, [...args, 'true'], { stdio: 'ignore' }).status === 0
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** The first user of this system who is not root. */
function namedUser(): { uid: number; gid: number } | undefined {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([, , uid, gid]) => ({ uid: Number(uid), gid: Number(gid) }))
    .find(({ uid, gid }) => uid > 0 && gid > 0)
}
