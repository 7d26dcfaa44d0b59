import escapeHtml from 'escape-html'
import type { FastifyInstance } from 'fastify'
import {
  ensureAccount,
  type Forum,
  findSubreddit,
  inTransaction,
  type Subreddit,
  saveSubreddit,
} from '../store.ts'
import { area, button, choice, field } from './layout.ts'
import { send } from './post.ts'

type Fields = Record<string, string>

/** The page of a subreddit's moderator: its rules, flair and requirements, who may see it, and who is banned. */
export function mountModeratePage(
  app: FastifyInstance,
  forum: Forum,
  fieldsOf: (request: { url: string; body: unknown }) => Fields,
): void {
  type Params = { Params: { name: string } }
  app.get<Params>('/r/:name/moderate', (request, reply) => {
    const subreddit = findSubreddit(forum, request.params.name)
    if (!subreddit) return reply.code(404).send()
    return send(reply, app.prefix, `Moderate r/${subreddit.name}`, content(forum, subreddit))
  })
  app.post<Params>('/r/:name/moderate', (request, reply) => {
    const subreddit = findSubreddit(forum, request.params.name)
    if (!subreddit) return reply.code(404).send()
    const fields = fieldsOf(request)
    inTransaction(forum, () => {
      if (fields.username) ban(forum, fields.username, subreddit.name, fields.banned !== 'false')
      else saveSubreddit(forum, changed(subreddit, fields))
    })
    return reply.redirect(`${app.prefix}/r/${subreddit.name}/moderate`, 303)
  })
}

const TYPES = ['public', 'restricted', 'private'] as const
const linesOf = (text: string | undefined) =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function content(forum: Forum, { name, type, rules, flair, requirements }: Subreddit): string {
  const banned = forum.db
    .prepare("select account from relations where subreddit = ? and kind = 'banned' order by account")
    .all(name)
    .map(({ account }) => String(account))
  const unban = banned.map(
    (username) =>
      `<li>${escapeHtml(username)} ${button('moderate', 'Unban', username, { username, banned: 'false' })}</li>`,
  )
  return `<form class="stack" method="post" action="moderate">
${choice('type', 'Who may see it', TYPES, type)}
${area('rules', 'Rules, one a line: name: description', rules.map((rule) => `${rule.name}: ${rule.description}`).join('\n'))}
${area('flair', 'Flair, one a line', (flair ?? []).map(({ text }) => text).join('\n'))}
${choice('flairRequired', 'Flair is required', ['no', 'yes'], requirements.is_flair_required ? 'yes' : 'no')}
${field('minLength', 'Shortest title', String(requirements.title_text_min_length ?? ''), 'number')}
${field('maxLength', 'Longest title', String(requirements.title_text_max_length ?? ''), 'number')}
${area('required', 'One of these in each title, one a line', requirements.title_required_strings.join('\n'))}
<button>Save subreddit</button></form>
<h2>Banned accounts</h2>
<form class="stack" method="post" action="moderate">${field('username', 'Username')}<button>Ban account</button></form>
<ul>${unban.join('') || '<li>None.</li>'}</ul>`
}

/** The subreddit as the form has it; rules and flair that stay keep what the form doesn't show. */
function changed(subreddit: Subreddit, fields: Fields): Subreddit {
  const number = (text: string | undefined) => (text ? Math.max(0, Math.trunc(Number(text)) || 0) : null)
  const flair = linesOf(fields.flair)
  return {
    ...subreddit,
    type: TYPES.find((one) => one === fields.type) ?? subreddit.type,
    rules: linesOf(fields.rules).map((line) => {
      const [name = '', ...description] = line.split(': ')
      const kind = subreddit.rules.find((rule) => rule.name === name)?.kind ?? 'all'
      return { name: name.slice(0, 100), description: description.join(': ').slice(0, 500), kind }
    }),
    flair:
      subreddit.flair === null && flair.length === 0
        ? null
        : flair.map(
            (text, index) =>
              subreddit.flair?.find((one) => one.text === text) ?? {
                ...{ id: `made-${index}-${text.length}`, text: text.slice(0, 64) },
                ...{ editable: false, modOnly: false, richtext: false },
              },
          ),
    requirements: {
      ...subreddit.requirements,
      is_flair_required: fields.flairRequired === 'yes',
      title_text_min_length: number(fields.minLength),
      title_text_max_length: number(fields.maxLength),
      title_required_strings: linesOf(fields.required),
    },
  }
}

function ban(forum: Forum, username: string, subreddit: string, isBanned: boolean): void {
  const { name } = ensureAccount(forum, username.trim())
  forum.db
    .prepare(
      isBanned
        ? "insert into relations values (?, ?, 'banned') on conflict do nothing"
        : "delete from relations where account = ? and subreddit = ? and kind = 'banned'",
    )
    .run(name, subreddit)
}
