import { createHmac, timingSafeEqual } from 'node:crypto'

/** How long the way to a check may be used, in seconds (docs/age-check-wire.md). */
const START_SECONDS = 15 * 60

export type Start = { check: string; return: string; at: string; signature: string }
export type Outcome = {
  check: string
  result: 'approved' | 'refused' | 'expired'
  method: string
  expiresAt: string | null
}

/** Why this way to the check may not be used, or null. */
export function startRefusal(start: Start, secret: string, now: Date): string | null {
  const expected = Buffer.from(sign(`start.${start.check}.${start.return}.${start.at}`, secret))
  const given = Buffer.from(start.signature)
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    return 'This link was not signed by the site that you come from.'
  if (Math.abs(secondsOf(now) - Number(start.at)) > START_SECONDS)
    return 'This link is more than 15 minutes old. Go back and start the check again.'
  return null
}

/** The result as text, and the signature over exactly that text at this moment. */
export function signedOutcome(
  outcome: Outcome,
  secret: string,
  now: Date,
): { body: string; signature: string } {
  const body = JSON.stringify(outcome)
  const at = secondsOf(now)
  return { body, signature: `t=${at},v1=${sign(`result.${at}.${body}`, secret)}` }
}

const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex')
const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1000)
