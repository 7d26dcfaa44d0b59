import escapeHtml from 'escape-html'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { accounts, latestPosts, limits } from '../admin.ts'
import { faultKinds, plannedFaults } from '../faults.ts'
import type { MessageRow } from '../messages.ts'
import { removalOf, scoreOf } from '../posts.ts'
import { allSubreddits, type Forum } from '../store.ts'
import { fullname, id36 } from '../wire.ts'
import { button, choice, contentPolicy, field, hidden, pageOf, table } from './layout.ts'

/** The sandbox's own pages: what was posted, and what a moderator, a stranger or an outage would do. */
export function mountPages(app: FastifyInstance, forum: Forum): void {
  const pages: [tab: string, content: (forum: Forum, admin: string) => string][] = [
    ['', posts],
    ['subreddits', subreddits],
    ['accounts', accountsPage],
    ['messages', messages],
    ['faults', faults],
  ]
  for (const [tab, content] of pages)
    app.get(
      `/${tab}`,
      async (_request, reply): Promise<FastifyReply> =>
        reply
          .headers({ 'content-security-policy': contentPolicy })
          .type('text/html; charset=utf-8')
          .send(pageOf(app.prefix, tab, content(forum, `${app.prefix}/admin`))),
    )
}

const timeOf = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')

function posts(forum: Forum, admin: string): string {
  const rows = latestPosts(forum).map((row) => {
    const removal = removalOf(row, forum.now())
    const path = `${admin}/posts/${id36(row.id)}`
    const action =
      removal === 'deleted'
        ? ''
        : removal === null
          ? button(`${path}/remove`, 'Remove', row.title)
          : button(`${path}/approve`, 'Approve', row.title)
    return [
      escapeHtml(row.title),
      `r/${escapeHtml(row.subreddit)}`,
      escapeHtml(row.author),
      timeOf(row.createdAt),
      scoreForm(`${path}/score`, scoreOf(row, forum.now()), row.title),
      row.nsfw ? 'NSFW' : '',
      removal ?? 'Up',
      action,
    ]
  })
  return `<p>Nothing here reaches the real forum. A title with <code>[remove]</code>, <code>[filter]</code> or <code>[moderator]</code> is removed a minute after it goes up.</p>
${table('Posts', ['Title', 'Subreddit', 'Author', 'Posted (UTC)', 'Score', 'Mark', 'State', 'Action'], rows)}`
}

const scoreForm = (action: string, score: number, title: string): string =>
  `<form class="inline" method="post" action="${action}"><input name="score" type="number" aria-label="Score of ${escapeHtml(title)}" value="${score}"><button class="quiet" aria-label="Set the score of ${escapeHtml(title)}">Set</button></form>`

function subreddits(forum: Forum, admin: string): string {
  const rows = allSubreddits(forum).map(
    ({ name, subscribers, type, access, over18, submissionType, rules }) => [
      `<a href="${admin.replace(/\/admin$/, '')}/r/${name}/moderate">r/${name}</a>`,
      subscribers.toLocaleString('en-US'),
      access === 'open' ? type : access,
      over18 ? '18+' : '',
      submissionType,
      String(rules.length),
      access === 'open'
        ? button(`${admin}/subreddits/${name}?page=subreddits`, 'Ban', name, { access: 'banned' })
        : button(`${admin}/subreddits/${name}?page=subreddits`, 'Open', name, { access: 'open' }),
    ],
  )
  return table('Subreddits', ['Name', 'Subscribers', 'Access', 'Adult', 'Takes', 'Rules', 'Action'], rows)
}

function accountsPage(forum: Forum, admin: string): string {
  const rows = accounts(forum).map((account) => [
    escapeHtml(account.name),
    String(account.linkKarma + account.commentKarma),
    timeOf(account.createdAt),
    account.suspended ? 'Suspended' : 'Active',
    button(
      `${admin}/accounts/${account.name}?page=accounts`,
      account.suspended ? 'Reinstate' : 'Suspend',
      account.name,
      { suspended: account.suspended ? 'false' : 'true' },
    ) +
      button(`${admin}/tokens/revoke?page=accounts`, 'Revoke tokens', account.name, {
        account: account.name,
      }),
  ])
  return table('Accounts', ['Name', 'Karma', 'Since (UTC)', 'State', 'Action'], rows)
}

function messages(forum: Forum, admin: string): string {
  const rows = forum.db.prepare('select * from messages order by id desc limit 100').all() as MessageRow[]
  return `<form class="stack" method="post" action="${admin}/messages?page=messages">
${field('from', 'From')}${field('to', 'To')}${field('subject', 'Subject', 'Hello')}
<div><label for="body">Message</label><textarea id="body" name="body" rows="3"></textarea></div>
<button>Send message</button></form>
<h2>Latest messages</h2>
${table(
  'Messages',
  ['From', 'To', 'Subject', 'Message', 'Sent (UTC)', 'Reply'],
  rows.map((row) => [
    ...[row.sender, row.recipient, row.subject, row.body].map(escapeHtml),
    timeOf(row.createdAt),
    replyForm(`${admin}/messages?page=messages`, row),
  ]),
)}`
}

/** Answers a message as the one who got it. */
const replyForm = (action: string, { id, sender, recipient }: MessageRow): string =>
  `<form class="inline" method="post" action="${action}">${hidden({ from: recipient, to: sender, parent: fullname('t4', id) })}<input name="body" required aria-label="Reply of ${escapeHtml(recipient)}"><button class="quiet">Reply</button></form>`

function faults(forum: Forum, admin: string): string {
  const now = limits(forum)
  const planned = plannedFaults(forum).map(({ kind, path, account, status, times, code }) => [
    escapeHtml(code ? `${kind} ${code}` : kind),
    escapeHtml(path ?? 'Any'),
    escapeHtml(account ?? 'Any'),
    String(status),
    times === null ? 'Until cleared' : String(times),
  ])
  return `<form class="stack" method="post" action="${admin}/faults?page=faults">
${choice('kind', 'Fault', faultKinds, 'status')}${field('path', 'Path starts with')}${field('account', 'Account')}
${field('status', 'Status (empty: 503, or 200 for a refusal)', '', 'number')}${field('delayMilliseconds', 'Delay (ms)', '3000', 'number')}
${field('times', 'Times (empty: until cleared)', '1', 'number')}
${field('code', 'Refusal code')}${field('message', 'Refusal message')}
<button>Add fault</button></form>
${table('Planned faults', ['Fault', 'Path', 'Account', 'Status', 'Times'], planned)}
${button(`${admin}/faults/clear?page=faults`, 'Clear', 'all faults')}
<h2>Limits</h2>
<form class="stack" method="post" action="${admin}/limits?page=faults">
${field('budget', 'Calls in ten minutes', String(now.budget), 'number')}
${field('postingSeconds', 'Seconds between posts of a new account', String(now.postingSeconds), 'number')}
${choice('requirementErrors', 'Requirement errors', ['list', 'status'], now.requirementErrors)}
${choice('messagesMoved', 'Message threads redirect to login', ['on', 'off'], now.messagesMoved)}
${choice('placeholderReplies', 'Placeholder ids for replies', ['on', 'off'], now.placeholderReplies)}
<button>Save limits</button></form>`
}
