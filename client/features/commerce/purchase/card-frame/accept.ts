import { cardTexts } from '../texts.ts'
import { type Card, type CardErrors, CardRefused } from './card.ts'
import type { GatewayToken } from './messages.ts'

type AcceptAnswer = {
  messages: { resultCode: 'Ok' | 'Error'; message: { code: string; text: string }[] }
  opaqueData?: GatewayToken
}
type AcceptScript = { dispatchData(data: object, callback: (answer: AcceptAnswer) => void): void }

const accept = () => (globalThis as { Accept?: AcceptScript }).Accept

const FIELD_OF: Record<string, [keyof Card, string]> = {
  E_WC_05: ['number', cardTexts.wrongNumber],
  E_WC_06: ['expiry', cardTexts.wrongMonth],
  E_WC_07: ['expiry', cardTexts.wrongYear],
  E_WC_08: ['expiry', cardTexts.expired],
  E_WC_15: ['code', cardTexts.wrongCode],
  E_WC_16: ['zip', cardTexts.wrongZip],
}

/** The script says this until the part that it loads itself has run. */
const NOT_READY = 'E_WC_03'
const READY_TRIES = 40
const READY_WAIT_MS = 250
/** How long the gateway's script may take to come, and then to answer, in milliseconds. */
const PATIENCE_MS = 20_000

let loading: Promise<void> | null = null

/** Loads the gateway's script from the gateway's address, once; a failed load can be tried again. */
export function loadAccept(scriptUrl: string): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = scriptUrl
    script.charset = 'utf-8'
    const fail = () => {
      clearTimeout(timer)
      loading = null
      script.remove()
      reject(new CardRefused(cardTexts.notLoaded))
    }
    const timer = setTimeout(fail, PATIENCE_MS)
    script.onload = () => {
      clearTimeout(timer)
      resolve()
    }
    script.onerror = fail
    document.head.append(script)
  })
  return loading
}

/** Turns the card into a token that can be used once, in the browser by Accept.js’ `dispatchData`. Throws `CardRefused`. */
export async function tokenise(
  card: Card,
  account: { apiLoginID: string; clientKey: string },
): Promise<GatewayToken> {
  const data = {
    authData: account,
    cardData: {
      cardNumber: card.number.replace(/\D/g, ''),
      month: card.expiry.slice(0, 2),
      year: card.expiry.slice(3, 5),
      cardCode: card.code,
      zip: card.zip.trim(),
    },
  }
  for (let attempt = 0; attempt < READY_TRIES; attempt++) {
    const answer = await dispatch(data)
    if (answer.messages.resultCode === 'Ok' && answer.opaqueData) return answer.opaqueData
    if (!answer.messages.message.some(({ code }) => code === NOT_READY)) throw refusalOf(answer)
    await new Promise((resolve) => setTimeout(resolve, READY_WAIT_MS))
  }
  throw new CardRefused(cardTexts.notLoaded)
}

function dispatch(data: object): Promise<AcceptAnswer> {
  const script = accept()
  if (!script) throw new CardRefused(cardTexts.notLoaded)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CardRefused(cardTexts.unanswered)), PATIENCE_MS)
    script.dispatchData(data, (answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
  })
}

function refusalOf(answer: AcceptAnswer): CardRefused {
  const fields: CardErrors = {}
  for (const { code } of answer.messages.message) {
    const known = FIELD_OF[code]
    if (known) fields[known[0]] = known[1]
  }
  if (Object.keys(fields).length > 0) return new CardRefused(cardTexts.check, fields)
  // Of what it couldn't send the script says the same as of what the gateway didn't take.
  return new CardRefused(navigator.onLine === false ? cardTexts.unreachable : cardTexts.refused)
}
