import { skipOf, toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Viewer } from '../../../viewer.ts'
import {
  deleteSavedReply,
  deleteThread,
  ignoreAuthor,
  type Named,
  noteOpened,
  saveReply,
  skipThread,
} from './actions.ts'
import { findContact, findLastContact, listInboxes, listSavedReplies, listThreads } from './data.ts'
import { presentPerson, presentReply, presentSync, presentThread } from './present.ts'
import { replyToThread } from './replying/actions.ts'
import { syncOwnInboxes } from './syncing/actions.ts'

export const inboxHandlers = {
  async inbox({ context, db, viewer, audience, query, now }) {
    const { search, removeContacted, ignored } = query
    const inboxes = await listInboxes(db, viewer.id)
    await noteOpened(context, { userId: viewer.id, inboxes, now })
    const page = { ...query, skip: skipOf(query) }
    const filters = { search, removeContacted, ignored }
    const rows = await listThreads(db, audience, { page, filters, now })
    return { ...toPage(rows, query, (row) => presentThread(row, context.forum)), ...presentSync(inboxes) }
  },

  async inboxContact({ db, audience, query }) {
    const { messageId: threadId, redditUsername: author } = query
    const contact = await findContact(db, audience, { threadId, author })
    if (!contact) throw new AppError('forum_message_not_found')
    return {
      lastContact: contact.last_contact_at?.toISOString() ?? null,
      ignore: contact.ignored,
      outOfSync: contact.out_of_sync,
      person: presentPerson(contact.person),
    }
  },

  async syncInbox({ context, db, viewer }) {
    const againAt = await syncOwnInboxes(context, viewer.id)
    const { syncedAt } = presentSync(await listInboxes(db, viewer.id))
    return { syncedAt, againAt: againAt?.toISOString() ?? null }
  },

  async skipMessage({ db, viewer, body, now }) {
    await skipThread(db, { ...named(viewer, body), skip: body.skip, now })
    return { success: true }
  },

  async ignoreAuthor({ db, viewer, body }) {
    await ignoreAuthor(db, { ...named(viewer, body), ignore: body.ignore })
    return { success: true }
  },

  async deleteForumThread({ context, viewer, body, now }) {
    await deleteThread(context, { userId: viewer.id, threadId: body.messageId, now })
    return { success: true }
  },

  async replyToMessage({ context, viewer, body, now }) {
    const of = named(viewer, body)
    const reply = await replyToThread(context, { ...of, text: body.messageText, now })
    const lastContact = await findLastContact(context.db, viewer.id, of.author)
    return { reply: presentReply(reply), lastContact: lastContact?.toISOString() ?? null }
  },

  async savedReplies({ db, viewer }) {
    const rows = await listSavedReplies(db, viewer.id)
    return { items: rows.map(({ id, title, body }) => ({ _id: id, title, text: body })) }
  },

  async saveReply({ db, viewer, body, now }) {
    const { _id: id, title, text } = body
    return { _id: await saveReply(db, { userId: viewer.id, id, title, body: text, now }), title, text }
  },

  async deleteSavedReply({ db, viewer, body }) {
    await deleteSavedReply(db, viewer.id, body.savedReplyId)
    return { success: true }
  },
} satisfies Partial<Handlers>

const named = (viewer: Viewer, body: { messageId: string; redditUsername: string }): Named => ({
  userId: viewer.id,
  threadId: body.messageId,
  author: body.redditUsername,
})
