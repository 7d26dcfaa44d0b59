import { notifications } from '@mantine/notifications'
import { configure } from '@testing-library/react'
import { vi } from 'vitest'

// How long a test waits for what comes by itself decides nothing, in milliseconds.
configure({ asyncUtilTimeout: 150_000 })

// Files run one after the other in one document with the same packages: state kept by these is reset for each file,
// and so is that of our own modules.
vi.resetModules()
vi.unstubAllGlobals()
vi.useRealTimers()
notifications.clean()
notifications.cleanQueue()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')
for (const cookie of document.cookie.split('; ')) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API answers later, and not in happy-dom.
  document.cookie = `${cookie.split('=')[0]}=; path=/; max-age=-1`
}
document.head.replaceChildren()
document.body.replaceChildren()
const page = document.documentElement
for (const name of page.getAttributeNames()) page.removeAttribute(name)
// A stand-in hides the clipboard that the navigator inherits.
Reflect.deleteProperty(navigator, 'clipboard')

// Features that happy-dom lacks: fonts, to which growing text fields listen, and a top layer.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
HTMLElement.prototype.showPopover = () => undefined
