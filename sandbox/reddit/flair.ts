import type { FlairTemplate } from './seed.ts'
import { findSubreddit, isRelated } from './store.ts'
import { accessible } from './subreddits.ts'
import { type Answer, failure, ok, refused, rowOf, type UserCall } from './wire.ts'

/** The templates that this account may choose from. */
function choices(call: UserCall, name: string): FlairTemplate[] {
  const isModerator = isRelated(call.forum, call.account.name, name, 'moderator')
  return (findSubreddit(call.forum, name)?.flair ?? []).filter(({ modOnly }) => isModerator || !modOnly)
}

/** The bare array of `link_flair_v2`; 403 where people can't choose flair. */
export function linkFlair(call: UserCall): Answer {
  const found = accessible(call)
  if ('refusal' in found) return found.refusal.status === 302 ? failure(404) : found.refusal
  const { flair, name } = found.subreddit
  if (flair === null) return failure(403)
  return ok(
    choices(call, name).map((template) => ({
      id: template.id,
      type: template.richtext ? 'richtext' : 'text',
      text: template.text,
      text_color: 'dark',
      background_color: '#dadada',
      css_class: '',
      text_editable: template.editable,
      mod_only: template.modOnly,
      allowable_content: 'all',
      max_emojis: 10,
      richtext: template.richtext ? [{ e: 'text', t: template.text }] : [],
      override_css: false,
    })),
  )
}

export function flairSelector(call: UserCall): Answer {
  const found = accessible(call)
  if ('refusal' in found) return found.refusal
  const post = rowOf('t3', call.fields.link)
  const row = call.forum.db.prepare('select flairId, flairText from posts where id = ?').get(post) as
    | { flairId: string | null; flairText: string | null }
    | undefined
  return ok({
    current: {
      flair_css_class: null,
      flair_template_id: row?.flairId ?? null,
      flair_text: row?.flairText ?? null,
      flair_position: 'right',
    },
    choices: choices(call, found.subreddit.name).map((template) => ({
      flair_template_id: template.id,
      flair_text: template.text,
      flair_text_editable: template.editable,
      flair_css_class: '',
      flair_position: 'right',
    })),
  })
}

/** The flair's text on a post, or null when this account can't use the template. */
export function chosenFlair(
  call: UserCall,
  name: string,
  id: string,
  text: string | undefined,
): string | null {
  const template = choices(call, name).find((choice) => choice.id === id)
  if (!template) return null
  return template.editable && text ? text.slice(0, 64) : template.text
}

/** Sets the flair of a post of one's own. */
export function selectFlair(call: UserCall): Answer {
  const { forum, fields, account, params } = call
  const id = fields.flair_template_id ?? ''
  const text = chosenFlair(call, params.sr ?? '', id, fields.text)
  if (text === null) return refused([['BAD_FLAIR_TEMPLATE_ID', 'That flair isn’t available.', 'flair']])
  const { changes } = forum.db
    .prepare('update posts set flairId = ?, flairText = ? where id = ? and author = ? and subreddit = ?')
    .run(id, text, rowOf('t3', fields.link), account.name, params.sr ?? '')
  return changes === 0 ? failure(403) : ok({ json: { errors: [] } })
}
