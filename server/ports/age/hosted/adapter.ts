import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { AgeChecks } from '../port.ts'

/** How far the signature's time may be from ours, either way. */
const TOLERANCE_SECONDS = 300

const Result = z.object({
  check: z.uuid(),
  result: z.enum(['approved', 'refused', 'expired']),
  method: z.string().min(1).max(60),
  expiresAt: z.iso.datetime().nullable(),
})

/** Speaks the hosted check of `docs/age-check-wire.md`: a signed way there, a signed result back, no call of ours. */
export function hostedAgeChecks(options: { url: string; secret: string; provider: string }): AgeChecks {
  const sign = (text: string) => createHmac('sha256', options.secret).update(text).digest()
  return {
    provider: options.provider,
    start({ checkId, returnUrl, now }) {
      const at = String(secondsOf(now))
      const address = new URL(options.url)
      address.searchParams.set('check', checkId)
      address.searchParams.set('return', returnUrl)
      address.searchParams.set('at', at)
      address.searchParams.set('signature', sign(`start.${checkId}.${returnUrl}.${at}`).toString('hex'))
      return address.href
    },
    readResult({ body, signature, now }) {
      const [, at, given] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? []
      if (!at || !given || Math.abs(secondsOf(now) - Number(at)) > TOLERANCE_SECONDS) return null
      if (!timingSafeEqual(sign(`result.${at}.${body}`), Buffer.from(given, 'hex'))) return null
      const read = Result.safeParse(parsed(body))
      if (!read.success) return null
      const { check, result, method, expiresAt } = read.data
      const until = result === 'approved' && expiresAt ? new Date(expiresAt) : null
      if (result === 'approved' && !(until && until > now)) return null
      return { checkId: check, result, method, expiresAt: until }
    },
  }
}

const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1000)

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
