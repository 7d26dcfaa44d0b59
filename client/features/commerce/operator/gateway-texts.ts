/** What the gateway says of a card’s billing address. */
const ADDRESS: Record<string, string> = {
  A: 'street matches, ZIP code doesn’t',
  B: 'no address was given',
  E: 'the check failed',
  G: 'the bank is outside the US and doesn’t check',
  N: 'neither street nor ZIP code matches',
  P: 'not checked',
  R: 'the bank’s check wasn’t available',
  S: 'the bank doesn’t check addresses',
  U: 'the bank has no address on file',
  W: 'ZIP code matches, street doesn’t',
  X: 'street and ZIP code match',
  Y: 'street and ZIP code match',
  Z: 'ZIP code matches, street doesn’t',
}

/** What the gateway says of a card’s security code. */
const SECURITY_CODE: Record<string, string> = {
  M: 'matches',
  N: 'doesn’t match',
  P: 'not checked',
  S: 'should be on the card, but wasn’t given',
  U: 'the bank doesn’t check it',
}

/** The gateway’s codes of what it declines or refuses, by what they mean. */
const REFUSALS: Record<string, string> = {
  'The bank declined the card': '2 3 191',
  'The bank wants the card back: it’s reported lost or stolen': '4',
  'The card number isn’t valid': '6 37 315',
  'The expiration date isn’t valid': '7 316',
  'The card has expired': '8 317',
  'This kind of card isn’t accepted': '17 28',
  'The billing address doesn’t match': '27 127',
  'The bank or a filter declined it, and the gateway couldn’t take its authorization back': '141 145 165',
  'The security code doesn’t match': '44 65 78',
  'Neither the billing address nor the security code matches': '45',
  'The gateway or the bank couldn’t process it':
    '19 20 21 22 23 25 26 57 120 121 122 153 170 171 172 173 180 181 192 261',
  'Authorized, but it won’t settle': '36 152',
  'The gateway’s fraud filter rejected it': '250 251',
  'Declined in the review at the gateway': '254 failedReview',
  'The gateway didn’t accept our request': '5 13 15 16 33 39 47 49 289 319',
  'The gateway treated it as a duplicate': '11 318',
  'The card is no longer stored at the gateway': 'E00040',
}

/** Reasons of our own, for which the gateway has no code. */
const OWN: Record<string, string> = {
  abandoned: 'Given up before it was sent',
  not_charged: 'The gateway doesn’t know of it, so nothing was charged',
  token_expired: 'The card details that were typed had expired',
  card_removed: 'The card was removed before it was charged',
  gateway_unreachable: 'The gateway couldn’t be reached',
  test_mode: 'The gateway’s account is in test mode, so nothing was charged',
  already_owned: 'The buyer already had it, so the charge is reversed',
  already_subscribed: 'The buyer was already subscribed, so the charge is reversed',
  no_longer_available: 'It was no longer available, so the charge is reversed',
  timeout: 'The gateway didn’t answer in time',
  unexpected_answer: 'The gateway’s answer couldn’t be read',
}

/** How a connection ended without the gateway’s answer: `http_502`, `econnreset`. */
const CONNECTION = /^(http_\d+|econn\w+|etimedout|epipe|ehostunreach|enotfound|eai_again|und_err_\w+)$/

/** Why a payment stands so, in words, with the gateway’s code beside it; a code of which nothing is known by itself. */
export function reasonText(reason: string): string {
  const own = OWN[reason]
  if (own) return own
  const code = reason.replace(/^reason_/, '')
  // The codes from 200 to 224 are banks’ own declines.
  const meant = /^2([01]\d|2[0-4])$/.test(code) ? '2' : code
  const known = Object.entries(REFUSALS).find(([, codes]) => codes.split(' ').includes(meant))
  if (known) return `${known[0]} (code ${code})`
  return CONNECTION.test(reason) ? `The connection to the gateway broke (${reason})` : `Code ${reason}`
}

/** Why a refund was made: an operator’s words, or a reason of our own. */
export const refundReason = (reason: string): string => OWN[reason] ?? reason

/** What the gateway said of a card’s billing address and security code, each with its code; none that it didn’t say. */
export function checkTexts({ avs, cvv }: { avs: string | null; cvv: string | null }): string[] {
  const address = avs ? [`Address (AVS ${avs}): ${ADDRESS[avs] ?? 'unknown answer'}`] : []
  const securityCode = cvv ? [`Security code (CVV ${cvv}): ${SECURITY_CODE[cvv] ?? 'unknown answer'}`] : []
  return [...address, ...securityCode]
}
