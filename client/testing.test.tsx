import { expect, test, vi } from 'vitest'

test('what one file left in the document and the browser is gone before the next one begins', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API answers later, and not in happy-dom.
  document.cookie = 'color-scheme=dark; path=/'
  expect(document.cookie).toBe('color-scheme=dark')
  document.documentElement.dataset.mantineColorScheme = 'dark'
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  vi.resetModules()
  await import('./testing.ts')
  expect(document.cookie).toBe('')
  expect({ ...document.documentElement.dataset }).toEqual({})
  expect(navigator.clipboard).toBeDefined()
})
