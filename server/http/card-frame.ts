import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import escapeHtml from 'escape-html'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { followed } from './client-build.ts'
import { isInSandbox, withTicket } from './sandbox-guard.ts'

const PATH = '/card-frame'
/** The frame's build output (client/vite.config.ts), served under its own path and policy. */
export const CARD_FRAME_DOCUMENT = 'card-frame.html'
const WITHOUT_BUILD =
  '<!doctype html><html lang="en"><head><title>Card details</title></head><body></body></html>'

/**
 * The document that takes cards and runs the gateway's script. Its origin is opaque, so it has neither our cookies nor our
 * storage, and only our own pages may frame it (docs/decisions/020-card-frame.md).
 */
export async function mountCardFrame(
  app: FastifyInstance,
  context: Context,
  clientDir: string | null,
): Promise<void> {
  const file = clientDir && join(clientDir, CARD_FRAME_DOCUMENT)
  const template = await followed(file, async () => (file ? readFile(file, 'utf8') : WITHOUT_BUILD))
  const { scriptUrl, apiLoginID, clientKey } = context.payments.browser
  const guarded = context.payments.sandbox && context.config.SANDBOX_TOKEN !== undefined
  app.get(PATH, async (request, reply) => {
    // The frame has no cookies for the sandbox guard, so the script's URL authenticates this browser.
    const script = guarded && isInSandbox(context, request) ? withTicket(context, scriptUrl) : scriptUrl
    const gateway = { 'script-url': script, 'api-login-id': apiLoginID, 'client-key': clientKey }
    const attributes = Object.entries(gateway).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    return reply
      .headers({
        'content-security-policy': framePolicy(context, script),
        'x-frame-options': 'SAMEORIGIN',
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send((await template()).replace('<html', `<html${attributes.join('')}`))
  })
}

function framePolicy({ publicUrl, payments }: Context, script: string): string {
  // In a document of an opaque origin browsers disagree on 'self', so the address is named too.
  const own = `'self' ${publicUrl}/assets/`
  const apis = new Set([...payments.browser.apiOrigins, new URL(script).origin])
  return [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    `script-src ${own} ${new URL('.', script).href}`,
    `style-src ${own}`,
    `font-src ${own}`,
    `connect-src ${[...apis].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors 'self' ${publicUrl}`,
  ].join('; ')
}
