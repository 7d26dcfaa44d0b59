import { flairSelector, linkFlair, selectFlair } from './flair.ts'
import * as messages from './messages.ts'
import * as posts from './posts.ts'
import { submit } from './submit.ts'
import * as subreddits from './subreddits.ts'
import { scopeNames, scopes } from './tokens.ts'
import * as users from './users.ts'
import { type Answer, type Call, failure, ok, refused, type UserCall } from './wire.ts'

type Route = {
  method: 'GET' | 'POST'
  pattern: RegExp
  scope: (fields: Record<string, string>) => string | null
  run: (call: Call) => Answer
}

/** A path with `:names` as a pattern that also takes a slash or `.json` at its end. */
function pattern(path: string): RegExp {
  const named = path.replace(/:(\w+)/g, (_, name: string) => `(?<${name}>[^/]+?)`)
  return new RegExp(`^${named}/?(\\.json)?$`, 'i')
}

const anyone = (
  method: Route['method'],
  path: string,
  scope: string | null,
  run: (call: Call) => Answer,
): Route => ({ method, pattern: pattern(path), scope: () => scope, run })

/** A call behind which there has to be a user: an application-only token gets status 200 and a refusal. */
const user = (
  method: Route['method'],
  path: string,
  scope: string | ((fields: Record<string, string>) => string),
  run: (call: UserCall) => Answer,
): Route => ({
  method,
  pattern: pattern(path),
  scope: typeof scope === 'string' ? () => scope : scope,
  run: (call) =>
    call.account
      ? run({ ...call, account: call.account })
      : refused([['USER_REQUIRED', 'Please log in to do that.', null]]),
})

const replyScope = ({ thing_id, parent }: Record<string, string>): string =>
  (thing_id ?? parent ?? '').startsWith('t4_') ? 'privatemessages' : 'submit'

/** Every call of the API host. */
const routes: Route[] = [
  user('GET', '/api/v1/me', 'identity', users.me),
  user('GET', '/api/v1/me/karma', 'mysubreddits', users.karma),
  anyone('GET', '/api/v1/scopes', null, () =>
    ok(Object.fromEntries(scopeNames.map((id) => [id, { id, name: id, description: scopes[id] ?? id }]))),
  ),
  anyone('GET', '/r/:sr/about', 'read', subreddits.about),
  anyone('GET', '/r/:sr/about/rules', 'read', subreddits.rules),
  user('GET', '/r/:sr/api/link_flair_v2', 'flair', linkFlair),
  user('POST', '/r/:sr/api/flairselector', 'flair', flairSelector),
  user('POST', '/r/:sr/api/selectflair', 'flair', selectFlair),
  anyone('GET', '/api/v1/:sr/post_requirements', 'submit', subreddits.postRequirements),
  anyone('GET', '/subreddits/search', 'read', subreddits.search),
  anyone('GET', '/api/search_reddit_names', 'read', subreddits.searchNames),
  anyone('POST', '/api/search_reddit_names', 'read', subreddits.searchNames),
  user('GET', '/subreddits/mine/:where', 'mysubreddits', subreddits.mine),
  anyone('GET', '/api/info', 'read', posts.info),
  anyone('GET', '/by_id/:names', 'read', posts.byId),
  anyone('GET', '/comments/:id', 'read', posts.postWithComments),
  anyone('GET', '/comments/:id/:slug', 'read', posts.postWithComments),
  anyone('GET', '/r/:sr/comments/:id', 'read', posts.postWithComments),
  anyone('GET', '/r/:sr/comments/:id/:slug', 'read', posts.postWithComments),
  user('POST', '/api/submit', 'submit', submit),
  user('POST', '/api/comment', replyScope, messages.reply),
  user('POST', '/api/del', 'edit', posts.del),
  user('POST', '/api/editusertext', 'edit', posts.editText),
  user('GET', '/message/messages', 'privatemessages', messages.threads),
  user('GET', '/message/messages/:id', 'privatemessages', messages.threads),
  user('GET', '/message/:where', 'privatemessages', messages.box),
  user('POST', '/api/del_msg', 'privatemessages', messages.delMessage),
  user('POST', '/api/block', 'privatemessages', messages.block),
  user('POST', '/api/read_message', 'privatemessages', messages.readMessage),
  user('POST', '/api/unread_message', 'privatemessages', messages.unreadMessage),
  user('POST', '/api/read_all_messages', 'privatemessages', messages.readAll),
  user('POST', '/api/compose', 'privatemessages', messages.compose),
  anyone('GET', '/user/:name/about', 'read', users.userAbout),
  anyone('GET', '/user/:name/submitted', 'history', posts.submitted),
  anyone('GET', '/user/:name/moderated_subreddits', 'read', users.moderatedSubreddits),
]

/** Finds the call of this path, and runs it if these scopes allow it. */
export function runRoute(
  method: string,
  path: string,
  granted: string[],
  call: Omit<Call, 'params'>,
): Answer {
  for (const route of routes) {
    const found = route.method === method ? route.pattern.exec(path) : null
    if (!found) continue
    const scope = route.scope(call.fields)
    if (scope !== null && !granted.includes(scope) && !granted.includes('*'))
      return {
        ...failure(403),
        headers: { 'www-authenticate': 'Bearer realm="reddit", error="insufficient_scope"' },
      }
    return route.run({ ...call, params: { ...found.groups } })
  }
  return failure(404)
}
