import * as elements from 'media-chrome'
import { styleNonce } from '../../../lib/nonce.ts'

type WithTemplate = { getTemplateHTML: (...given: unknown[]) => string }

function hasTemplate(element: unknown): element is WithTemplate {
  return typeof element === 'function' && Object.hasOwn(element, 'getTemplateHTML')
}

/** The player's elements write their own style elements, which the content policy allows only with this page's nonce. */
function allowStyles(element: WithTemplate): void {
  const write = element.getTemplateHTML
  element.getTemplateHTML = function (...given) {
    return write.apply(this, given).replaceAll('<style', `<style nonce="${styleNonce()}"`)
  }
}

for (const element of Object.values(elements)) {
  if (hasTemplate(element)) allowStyles(element)
}
