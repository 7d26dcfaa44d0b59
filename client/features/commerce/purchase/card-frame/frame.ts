import '@fontsource-variable/hanken-grotesk/wght.css'
import '../../../../ui/theme/tokens.css'
import './frame.css'
import { cardTexts } from '../texts.ts'
import { loadAccept, tokenise } from './accept.ts'
import {
  ACCEPTED_BRANDS,
  billToOf,
  brandOf,
  type Card,
  type CardErrors,
  CardRefused,
  caretAfter,
  formatAddress,
  formatExpiry,
  formatNumber,
  formatZip,
  missing,
} from './card.ts'
import type { FromFrame, Hello, Scheme, ToFrame } from './messages.ts'

/**
 * The card fields, in a document of an opaque origin: neither the page's code nor its token can be reached from here,
 * and the page can't reach the card that is typed here. docs/decisions/020-card-frame.md says why.
 */
const NAMES = ['number', 'expiry', 'code', 'zip', 'address'] as const
const { scriptUrl = '', apiLoginId = '', clientKey = '' } = document.documentElement.dataset

const part = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind
const inputs = {
  number: part<HTMLInputElement>('number'),
  expiry: part<HTMLInputElement>('expiry'),
  code: part<HTMLInputElement>('code'),
  zip: part<HTMLInputElement>('zip'),
  address: part<HTMLInputElement>('address'),
}
let card: Card = { number: '', expiry: '', code: '', zip: '', address: '' }
/** Whether what is missing is said while it is typed: from the first try on. */
let checked = false
let refused: CardErrors = {}
let page: MessagePort | null = null

const tell = (message: FromFrame) => page?.postMessage(message)

function errors(): CardErrors {
  return { ...refused, ...(checked ? missing(card) : {}) }
}

function show(): void {
  const wrong = errors()
  for (const name of NAMES) {
    if (inputs[name].value !== card[name]) inputs[name].value = card[name]
    inputs[name].setAttribute('aria-invalid', String(name in wrong))
    const text = part(`${name}-error`)
    if (text.textContent !== (wrong[name] ?? '')) text.textContent = wrong[name] ?? ''
  }
  part('brand').textContent = brandOf(card.number) ?? ''
}

/** The focus goes to the first field that is wrong, which typing replaces. */
function focusWrong(): void {
  const wrong = errors()
  const first = NAMES.find((name) => name in wrong)
  if (first) enter(first)
}

/** Gives the focus to a field with all of it selected, as Tab does: a number of full length would take no more digits. */
function enter(name: keyof Card): void {
  inputs[name].focus()
  inputs[name].select()
}

const FORMATS: Record<keyof Card, (typed: string) => string> = {
  number: formatNumber,
  expiry: (typed) => formatExpiry(typed, card.expiry),
  code: (typed) => typed.replace(/\D/g, '').slice(0, 4),
  zip: formatZip,
  address: formatAddress,
}

async function makeToken(): Promise<void> {
  checked = true
  refused = {}
  show()
  if (Object.keys(errors()).length > 0) {
    focusWrong()
    return tell({ kind: 'refused', message: null })
  }
  try {
    await loadAccept(scriptUrl)
    const token = await tokenise(card, { apiLoginID: apiLoginId, clientKey })
    tell({ kind: 'token', ...token, billTo: billToOf(card) })
  } catch (error) {
    refused = error instanceof CardRefused ? error.fields : {}
    show()
    focusWrong()
    tell({ kind: 'refused', message: error instanceof CardRefused ? error.message : cardTexts.refused })
    if (!(error instanceof CardRefused)) throw error
  }
}

/** If one of the fields already has the focus, it keeps it. */
function focusFirst(): void {
  if (document.activeElement === document.body) enter('number')
}

function setDisabled(disabled: boolean): void {
  // Not every browser takes the focus from what is disabled.
  if (disabled) for (const name of NAMES) inputs[name].blur()
  for (const name of NAMES) inputs[name].disabled = disabled
  if (disabled) return
  focusWrong()
  if (document.hasFocus()) focusFirst()
}

function setScheme(scheme: Scheme): void {
  document.documentElement.dataset.mantineColorScheme = scheme
}

function answer({ data }: MessageEvent<ToFrame>): void {
  if (data.kind === 'token') void makeToken()
  if (data.kind === 'scheme') setScheme(data.scheme)
  if (data.kind === 'disabled') setDisabled(data.disabled)
  if (data.kind === 'check') {
    checked = true
    show()
    focusWrong()
  }
}

function take(name: keyof Card): void {
  card = { ...card, [name]: FORMATS[name](inputs[name].value) }
}

for (const name of NAMES) {
  // The fields stand before this script has come: what was typed or filled in meanwhile counts.
  take(name)
  inputs[name].addEventListener('input', () => {
    const { value, selectionStart } = inputs[name]
    take(name)
    refused = Object.fromEntries(Object.entries(refused).filter(([field]) => field !== name))
    show()
    // The text that stands now is another one than was typed, for which the browser puts the caret to the end.
    if (name === 'number' && card.number !== value && document.activeElement === inputs.number) {
      const caret = caretAfter(value, selectionStart ?? value.length, card.number)
      inputs.number.setSelectionRange(caret, caret)
    }
  })
}
show()
part('number-brands').textContent = ACCEPTED_BRANDS.join(', ')
document.forms[0]?.addEventListener('submit', (event) => {
  event.preventDefault()
  tell({ kind: 'key', key: 'Enter' })
})
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') tell({ kind: 'key', key })
})

addEventListener('message', (event: MessageEvent<Hello>) => {
  // `location.origin` is the address's origin, while the document's own is opaque: only our page may speak first.
  if (page || event.source !== parent || event.origin !== location.origin) return
  const [port] = event.ports
  if (event.data?.kind !== 'card-frame' || !port) return
  page = port
  setScheme(event.data.scheme)
  port.onmessage = answer
  tell({ kind: 'ready' })
  new ResizeObserver(() => tell({ kind: 'height', pixels: document.forms[0]?.offsetHeight ?? 0 })).observe(
    document.forms[0] ?? document.body,
  )
  if (document.hasFocus()) focusFirst()
})
// The dialog gives the focus to the frame, which gives it to its first field.
addEventListener('focus', focusFirst)
