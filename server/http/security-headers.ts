import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

/** Headers of every answer; pages replace the policy with their own (ASVS 3.4). */
export function securityHeaders(context: Context): Record<string, string> {
  const https = context.publicUrl.startsWith('https:')
  return {
    'content-security-policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()',
    ...(https ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

/** Sets the headers of every answer, including refusals and files. */
export function installSecurityHeaders(app: FastifyInstance, context: Context): void {
  const headers = securityHeaders(context)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}

/** A page's policy: our own scripts, styles by nonce, no inline script. Cards are typed in a separate frame. */
export function pagePolicy(context: Context, nonce: string): string {
  const unique = (...sources: string[]) => [...new Set(sources)].join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    `media-src ${unique("'self'", 'blob:', ...videoOrigin(context))}`,
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self' https://www.redgifs.com",
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The origin of the how-to page's video, if it isn't ours. */
function videoOrigin({ config }: Context): string[] {
  return config.HOW_TO_VIDEO?.startsWith('https://') ? [new URL(config.HOW_TO_VIDEO).origin] : []
}
