import webpush from 'web-push'
import type { Push, PushMessage, PushOutcome, PushSubscription } from '../port.ts'

/** The push services of the browsers that there are. */
export const PUSH_SERVICES = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
] as const

const TIMEOUT_MS = 10_000

/** A new pair of keys by which push services know who sends (RFC 8292). */
export function generateVapidKeys(): { publicKey: string; privateKey: string } {
  return webpush.generateVAPIDKeys()
}

/**
 * Speaks RFC 8030 to the listed services alone, over https at its own port: the address comes from a browser, and must
 * lead nowhere else. `services`: host names, `*.` for those below one; `sandbox`: an address below which ours answers.
 */
export function webPush(options: {
  subject: string
  publicKey: string
  privateKey: string
  services: readonly string[]
  sandbox: string | null
}): Push {
  const { services, sandbox, ...vapidDetails } = options

  function accepts(endpoint: string): boolean {
    if (!URL.canParse(endpoint)) return false
    const url = new URL(endpoint)
    if (url.username || url.password) return false
    if (sandbox && url.href.startsWith(sandbox)) return true
    return url.protocol === 'https:' && url.port === '' && services.some((service) => names(service, url))
  }

  return {
    publicKey: options.publicKey,
    accepts,
    async send(subscription, message) {
      if (!accepts(subscription.endpoint)) return 'gone'
      const request = prepare(subscription, message)
      if (!request) return 'gone'
      try {
        const response = await fetch(request.endpoint, {
          method: request.method,
          headers: request.headers as Record<string, string>,
          body: new Uint8Array(request.body),
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        // The body is not read, however long it is: only the status matters.
        await response.body?.cancel()
        return outcomeOf(response)
      } catch {
        return { busy: true, retryAfterSeconds: null }
      }
    },
  }

  /** The encrypted request; null for keys that nothing can be encrypted with. */
  function prepare(subscription: PushSubscription, { payload, ttl, urgency, topic }: PushMessage) {
    try {
      return webpush.generateRequestDetails(subscription, payload, {
        vapidDetails,
        TTL: ttl,
        urgency,
        topic,
        contentEncoding: 'aes128gcm',
      })
    } catch {
      return null
    }
  }
}

function names(service: string, { hostname }: URL): boolean {
  return service.startsWith('*.') ? hostname.endsWith(service.slice(1)) : hostname === service
}

function outcomeOf({ status, headers }: Response): PushOutcome {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  if (status === 429 || status >= 500) {
    const seconds = Number(headers.get('retry-after'))
    return { busy: true, retryAfterSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null }
  }
  return 'refused'
}
