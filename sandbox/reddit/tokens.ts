import { timingSafeEqual } from 'node:crypto'
import { type AccountRow, type Forum, findAccount, randomToken } from './store.ts'
import { type Answer, failure, id36, ok } from './wire.ts'

/** Every scope that there is, and what it opens. */
export const scopes: Record<string, string> = {
  identity: 'See my username and signup date.',
  submit: 'Submit links and comments from my account.',
  flair: 'Choose post flair.',
  read: 'Read posts, comments, and subreddits through my account.',
  privatemessages: 'Read and send private messages.',
  mysubreddits: 'See the subreddits I’m part of.',
  history: 'See my posts and votes.',
  edit: 'Edit and delete my posts and comments.',
  account: 'Change my settings.',
  creddits: 'Spend my coins.',
  livemanage: 'Manage live threads.',
  modconfig: 'Change the subreddits I moderate.',
  modcontributors: 'Add contributors where I moderate.',
  modflair: 'Manage flair where I moderate.',
  modlog: 'Read the moderation log.',
  modmail: 'Read and send modmail.',
  modnote: 'Read and write moderator notes.',
  modothers: 'Invite moderators.',
  modposts: 'Approve and remove posts where I moderate.',
  modself: 'Accept invitations to moderate.',
  modtraffic: 'See traffic where I moderate.',
  modwiki: 'Edit wikis where I moderate.',
  report: 'Report posts.',
  save: 'Save posts.',
  structuredstyles: 'Style the subreddits I moderate.',
  subscribe: 'Subscribe to subreddits.',
  vote: 'Vote.',
  wikiedit: 'Edit wikis.',
  wikiread: 'Read wikis.',
}
export const scopeNames = Object.keys(scopes)

const LIFETIME_SECONDS = 86_400
const CODE_LIFETIME_MS = 600_000

/** The scopes of a list separated by spaces or commas; null when one is unknown, or there are none. */
export function parseScopes(list: string | undefined): string[] | null {
  const names = (list ?? '').split(/[\s,]+/).filter((name) => name !== '')
  return names.length > 0 && names.every((name) => name === '*' || name in scopes) ? names : null
}

/** A code for the redirect, good for ten minutes and one use. */
export function issueCode(
  { db, now }: Forum,
  grant: { account: string; scopes: string[]; redirectUri: string; isPermanent: boolean },
): string {
  const code = randomToken()
  db.prepare(
    'insert into codes (code, account, scopes, redirectUri, permanent, expiresAt) values (?, ?, ?, ?, ?, ?)',
  ).run(
    ...[code, grant.account, grant.scopes.join(' '), grant.redirectUri, grant.isPermanent ? 1 : 0],
    now().getTime() + CODE_LIFETIME_MS,
  )
  return code
}

/** Whether the header names the one client with its secret. */
function isClient({ client }: Forum, authorization: string | undefined): boolean {
  const encoded = /^basic\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return false
  const given = Buffer.from(encoded, 'base64')
  const expected = Buffer.from(`${client.id}:${client.secret}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const NO_CLIENT: Answer = { ...failure(401), headers: { 'www-authenticate': 'Basic realm="reddit"' } }

/** `POST /api/v1/access_token`. Most errors come with status 200, as on the wire. */
export function accessToken(
  forum: Forum,
  authorization: string | undefined,
  fields: Record<string, string>,
): Answer {
  if (!isClient(forum, authorization)) return NO_CLIENT
  switch (fields.grant_type) {
    case 'authorization_code':
      return redeemCode(forum, fields)
    case 'refresh_token':
      return refresh(forum, fields.refresh_token)
    case 'password':
      return ok({ error: 'unauthorized_client', error_description: 'Only script apps may use password auth' })
    case 'https://oauth.reddit.com/grants/installed_client':
      if (!/^.{20,50}$/.test(fields.device_id ?? ''))
        return ok({ error: 'invalid_request', error_description: 'device_id must be 20 to 50 characters' })
      return applicationOnly(forum, fields.scope)
    case 'client_credentials':
      return applicationOnly(forum, fields.scope)
    default:
      return ok({ error: 'unsupported_grant_type' })
  }
}

function applicationOnly(forum: Forum, wanted: string | undefined): Answer {
  const granted = parseScopes(wanted || '*')
  return granted ? issue(forum, null, granted.join(' '), null) : ok({ error: 'invalid_scope' })
}

function redeemCode(forum: Forum, { code, redirect_uri }: Record<string, string>): Answer {
  if (!code || !redirect_uri) return ok({ error: 'invalid_request' })
  const row = forum.db.prepare('delete from codes where code = ? returning *').get(code) as
    | { account: string; scopes: string; redirectUri: string; permanent: number; expiresAt: number }
    | undefined
  const account = row && findAccount(forum, row.account)
  if (!row || !account || row.expiresAt <= forum.now().getTime() || row.redirectUri !== redirect_uri)
    return ok({ error: 'invalid_grant' })
  if (!row.permanent) return issue(forum, account, row.scopes, null)
  const refreshToken = `${id36(account.id)}-${randomToken()}`
  forum.db
    .prepare('insert into grants (refreshToken, account, scopes) values (?, ?, ?)')
    .run(refreshToken, account.name, row.scopes)
  return issue(forum, account, row.scopes, refreshToken)
}

function refresh(forum: Forum, refreshToken: string | undefined): Answer {
  const row = forum.db
    .prepare('select * from grants where refreshToken = ? and revokedAt is null')
    .get(refreshToken ?? '') as { account: string; scopes: string } | undefined
  const account = row && findAccount(forum, row.account)
  return row && account && refreshToken ? issue(forum, account, row.scopes, refreshToken) : failure(400)
}

function issue(
  { db, now }: Forum,
  account: AccountRow | null,
  granted: string,
  refreshToken: string | null,
): Answer {
  const token = `${account ? id36(account.id) : ''}-${randomToken()}`
  db.prepare(
    'insert into accessTokens (token, account, scopes, refreshToken, expiresAt) values (?, ?, ?, ?, ?)',
  ).run(token, account?.name ?? null, granted, refreshToken, now().getTime() + LIFETIME_SECONDS * 1000)
  return ok({
    access_token: token,
    token_type: 'bearer',
    expires_in: LIFETIME_SECONDS,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    scope: granted,
  })
}

/** `POST /api/v1/revoke_token`; an unknown token succeeds too. */
export function revokeToken(
  forum: Forum,
  authorization: string | undefined,
  fields: Record<string, string>,
): Answer {
  if (!isClient(forum, authorization)) return NO_CLIENT
  const token = fields.token ?? ''
  forum.db.prepare('delete from accessTokens where token = ? or refreshToken = ?').run(token, token)
  forum.db.prepare('update grants set revokedAt = ? where refreshToken = ?').run(forum.now().getTime(), token)
  return { status: 200, body: undefined }
}

/** The caller with this header, whose `account` is null for the app itself; null when the token is unknown or expired. */
export function bearer(
  forum: Forum,
  authorization: string | undefined,
): { account: AccountRow | null; scopes: string[] } | null {
  const token = /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  const row = forum.db
    .prepare('select account, scopes, expiresAt from accessTokens where token = ?')
    .get(token ?? '') as { account: string | null; scopes: string; expiresAt: number } | undefined
  if (!row || row.expiresAt <= forum.now().getTime()) return null
  const account = row.account === null ? null : findAccount(forum, row.account)
  return { account, scopes: row.scopes.split(' ') }
}
