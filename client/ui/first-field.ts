import { typesOnScreen } from './focus.ts'

const USABLE = ['a[href]', 'button', 'iframe', 'input:not([type="hidden"])', 'select', 'textarea']
  .map((kind) => `${kind}:not(:disabled, [hidden])`)
  .join()

/** The first field of the form that this dialog begins with, or null; what was chosen is the field of its group. */
function firstField(body: HTMLElement): HTMLElement | null {
  const form = body.querySelector(USABLE)?.closest('form')
  const fields = [...(form?.querySelectorAll<HTMLInputElement>(USABLE) ?? [])]
  const first = fields.find((field) => field.matches('iframe, input, select, textarea'))
  // The card's fields take the focus themselves, once they are there.
  if (!first || first.matches('iframe')) return null
  if (first.type !== 'radio') return first
  return fields.find(({ name, checked }) => name === first.name && checked) ?? first
}

/**
 * Gives the focus to the first field of a dialog's form, also where that comes later, until somebody does something; unless
 * the dialog says itself where it begins. On a touch screen it goes to the title, as the keyboard would cover what it says.
 */
export function focusFirstField(body: HTMLElement, title: HTMLElement): () => void {
  const begin = () => {
    const { activeElement } = document
    const isElsewhere = body.contains(activeElement) || body.querySelector('[data-autofocus]')
    const field = firstField(body)
    if (isElsewhere || field) end()
    if (isElsewhere || !field) return
    const place = typesOnScreen() ? title : field
    // Mantine, which gives the focus to the dialog a moment later, finds the place by this.
    place.dataset.autofocus = ''
    place.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(begin)
  const acts = ['pointerdown', 'keydown']
  function end() {
    observer.disconnect()
    for (const act of acts) removeEventListener(act, end, { capture: true })
  }
  observer.observe(body, { childList: true, subtree: true })
  for (const act of acts) addEventListener(act, end, { capture: true })
  begin()
  return end
}
