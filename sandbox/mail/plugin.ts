import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { z } from 'zod'
import { startCatcher } from './catcher.ts'
import { mailboxPage, messagePage } from './page.ts'
import { type MailStore, openMailStore } from './store.ts'

const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
/** Mails carry inline styles and pictures of their own; they fetch nothing and run nothing. */
const messagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"

const pageLength = 200
const word = z.string().trim().min(1).optional().catch(undefined)
const Query = z.object({ to: word, id: word })

/**
 * The stand-in for a mail service: an SMTP catcher at `smtpUrl`, kept in the SQLite file `store`, and the plugin that
 * serves its mailbox. `now` stamps what arrives. `close` ends both. Source: docs/product.md, Sandbox and sample data.
 */
export async function mailSandbox(options: { store: string; now: () => Date }): Promise<{
  smtpUrl: string
  plugin: FastifyPluginAsync
  close(): Promise<void>
}> {
  const store = openMailStore(options.store)
  const catcher = await startCatcher({ store, now: options.now })
  return {
    smtpUrl: catcher.smtpUrl,
    plugin: mailbox(store),
    async close() {
      await catcher.close()
      store.close()
    },
  }
}

function mailbox(store: MailStore): FastifyPluginAsync {
  return async (app) => {
    const style = await readFile(new URL('./mailbox.css', import.meta.url))

    app.get('/', (request, reply) => {
      const { to, id } = Query.parse(request.query)
      const page = mailboxPage(store.list(to, pageLength), id ? store.find(id) : null, {
        prefix: app.prefix,
        recipient: to,
      })
      return protect(reply, pagePolicy).type('text/html; charset=utf-8').send(page)
    })

    app.get('/mailbox.css', (_, reply) => reply.type('text/css; charset=utf-8').send(style))

    app.get('/messages', (request, reply) => {
      const { to } = Query.parse(request.query)
      return reply.header('cache-control', 'no-store').send({ items: store.list(to, pageLength) })
    })

    app.get<{ Params: { id: string } }>('/messages/:id/html', (request, reply) => {
      const message = store.find(request.params.id)
      if (!message) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such email.')
      return protect(reply, messagePolicy).type('text/html; charset=utf-8').send(messagePage(message))
    })
  }
}

/** Sets the page's own policy over whatever the server sets for all its answers. */
function protect(reply: FastifyReply, policy: string): FastifyReply {
  reply.raw.removeHeader('x-frame-options')
  return reply
    .removeHeader('x-frame-options')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
}
