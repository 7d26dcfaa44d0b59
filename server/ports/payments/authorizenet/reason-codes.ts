/** The meaning of the reason codes of response codes 2 and 3. */
export type ReasonClass = 'decline' | 'hardDecline' | 'unknown' | 'refused'

const DUPLICATE = [11, 318]
const PROCESSING_TROUBLE = [
  19, 20, 21, 22, 23, 25, 26, 57, 120, 121, 122, 153, 170, 171, 172, 173, 180, 181, 192, 261,
]
/** Lost or stolen; number or expiry invalid; card expired; brand not accepted; fraud filter. */
const THIS_CARD_NEVER = [4, 6, 37, 315, 7, 316, 8, 317, 17, 28, 250, 251, 254]
/** Our request or our account is at fault, not the card. */
const OUR_FAULT = [5, 13, 15, 16, 33, 39, 47, 49, 289, 319]

/** A duplicate counts as unknown: its original is found by looking the attempt up. */
export function classOf(reasonCode: string): ReasonClass {
  const code = Number(reasonCode)
  if (DUPLICATE.includes(code) || PROCESSING_TROUBLE.includes(code)) return 'unknown'
  if (THIS_CARD_NEVER.includes(code)) return 'hardDecline'
  return OUR_FAULT.includes(code) ? 'refused' : 'decline'
}
