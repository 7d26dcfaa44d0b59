import escapeHtml from 'escape-html'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { findPost, permalink, removalOf } from '../posts.ts'
import { ensureAccount, type Forum, inTransaction } from '../store.ts'
import { submit } from '../submit.ts'
import { type Answer, isTrue, rowOf } from '../wire.ts'
import { contentPolicy, documentOf, field } from './layout.ts'

type Fields = Record<string, string>

/** The page where people post by hand, filled in by its address as the forum's own is. */
export function mountSubmitPage(
  app: FastifyInstance,
  forum: Forum,
  fieldsOf: (request: { url: string; body: unknown }) => Fields,
): void {
  const show = (reply: FastifyReply, name: string, fields: Fields, problem = '') =>
    send(reply, app.prefix, `Post in r/${name}`, form(name, fields, problem))
  app.get<{ Params: { name: string } }>('/r/:name/submit', (request, reply) =>
    show(reply, request.params.name, fieldsOf(request)),
  )
  app.post<{ Params: { name: string } }>('/r/:name/submit', (request, reply) => {
    const { name } = request.params
    const fields = fieldsOf(request)
    const answer = inTransaction(forum, () => {
      const account = ensureAccount(forum, fields.username?.trim() || 'Somebody')
      const kind = 'link'
      return submit({ forum, prefix: app.prefix, params: {}, fields: { ...fields, sr: name, kind }, account })
    })
    const { id, problem } = outcomeOf(answer)
    const post = id ? findPost(forum, rowOf('t3', `t3_${id}`)) : null
    if (!post) return show(reply, name, fields, problem)
    return reply.redirect(`${app.prefix}${permalink(post)}`, 303)
  })
}

type Submitted = {
  json?: { errors: [code: string, words: string][]; data?: { id?: string } }
  reason?: string
  explanation?: string
}

function outcomeOf({ body }: Answer): { id: string | undefined; problem: string } {
  const { json, reason, explanation } = (body ?? {}) as Submitted
  const problem = json?.errors.map(([code, words]) => `${code}: ${words}`).join(' ') ?? ''
  return { id: json?.data?.id, problem: problem || (explanation ?? reason ?? '') }
}

function form(name: string, fields: Fields, problem: string): string {
  return `${problem === '' ? '' : `<p role="alert">${escapeHtml(problem)}</p>`}
<form class="stack" method="post" action="submit">
${field('username', 'Username', fields.username)}${field('title', 'Title', fields.title)}${field('url', 'Link', fields.url, 'url')}
<label><input type="checkbox" name="nsfw" value="true"${isTrue(fields.nsfw) ? ' checked' : ''}> NSFW</label>
<button>Post in r/${escapeHtml(name)}</button></form>`
}

/** A post as people see it at its address; null if there is none. */
export function postPage(forum: Forum, path: string): { title: string; content: string } | null {
  const id = /^\/r\/\w+\/comments\/([a-z0-9]+)(?:\/|$)/.exec(path)?.[1]
  const post = id ? findPost(forum, rowOf('t3', `t3_${id}`)) : null
  if (!post) return null
  const removal = removalOf(post, forum.now())
  const comments = forum.db
    .prepare('select author, body from comments where post = ? and deletedAt is null order by id')
    .all(post.id)
    .map(({ author, body }) => `<li><b>${escapeHtml(String(author))}</b>: ${escapeHtml(String(body))}</li>`)
  const link = escapeHtml(post.url)
  return {
    title: post.title,
    content: `<p>Posted in r/${escapeHtml(post.subreddit)} by ${escapeHtml(post.author)}${post.nsfw ? ', marked NSFW' : ''}${removal === null ? '' : `, removed: ${removal}`}</p>
<p><a href="${link}" rel="noreferrer">${link}</a></p><h2>Comments</h2><ul>${comments.join('') || '<li>None yet.</li>'}</ul>`,
  }
}

/** Sends a page that belongs to no tab. */
export const send = (reply: FastifyReply, prefix: string, title: string, content: string): FastifyReply =>
  reply
    .headers({ 'content-security-policy': contentPolicy })
    .type('text/html; charset=utf-8')
    .send(documentOf(prefix, title, content))
