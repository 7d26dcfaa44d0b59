/** One element of a request as the gateway's XML schema describes it; a group's children stand in schema order. */
export type Element = {
  children?: Record<string, Element>
  maxLength?: number
  pattern?: RegExp
  required?: boolean
  repeated?: boolean
}

export const text = (maxLength = 1000): Element => ({ maxLength })
export const oneOf = (...values: string[]): Element => ({ pattern: new RegExp(`^(${values.join('|')})$`) })
export const group = (children: Record<string, Element>): Element => ({ children })
export const required = (element: Element): Element => ({ ...element, required: true })
export const repeated = (element: Element): Element => ({ ...element, repeated: true })
export const boolean = oneOf('true', 'false', '1', '0')
export const decimal: Element = { pattern: /^-?\d+(\.\d+)?$/ }
export const integer: Element = { pattern: /^-?\d+$/ }
export const numericString: Element = { pattern: /^\d+$/ }
export const dateTime: Element = { pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/ }

/** The error in `value` as the element `name`, or null. Order, unknown names, lengths and types count (E00003). */
export function complaintAbout(name: string, value: unknown, element: Element): string | null {
  if (element.repeated && Array.isArray(value)) {
    return firstComplaint(
      value.map((item: unknown) => () => complaintAbout(name, item, { ...element, repeated: false })),
    )
  }
  if (Array.isArray(value)) return `Element '${name}' may stand only once.`
  return element.children
    ? complaintAboutGroup(name, value, element.children)
    : complaintAboutText(name, value, element)
}

function complaintAboutText(name: string, value: unknown, element: Element): string | null {
  if (typeof value === 'object' && value !== null) return `Element '${name}' holds text, not other elements.`
  const content = value === null || value === undefined ? '' : String(value)
  if (element.maxLength !== undefined && content.length > element.maxLength) {
    return `Element '${name}' is longer than its largest length of ${element.maxLength}.`
  }
  if (element.pattern && !element.pattern.test(content))
    return `Element '${name}' has a value that its type does not allow.`
  return null
}

function complaintAboutGroup(name: string, value: unknown, children: Record<string, Element>): string | null {
  const names = Object.keys(children)
  if (value === null || value === '') return complaintAboutMissing(name, [], children)
  if (typeof value !== 'object') return `Element '${name}' holds other elements, not text.`
  let next = 0
  for (const child of Object.keys(value)) {
    const index = names.indexOf(child, next)
    if (index === -1) {
      return `Element '${name}' has the unexpected child '${child}' here. Expected one of: ${names.slice(next).join(', ') || 'nothing more'}.`
    }
    next = index + 1
  }
  return (
    complaintAboutMissing(name, Object.keys(value), children) ??
    firstComplaint(
      Object.entries(value).map(
        ([child, content]) =>
          () =>
            complaintAbout(child, content, children[child] ?? {}),
      ),
    )
  )
}

function complaintAboutMissing(
  name: string,
  present: string[],
  children: Record<string, Element>,
): string | null {
  const missing = Object.keys(children).find((child) => children[child]?.required && !present.includes(child))
  return missing === undefined ? null : `Element '${name}' is incomplete: '${missing}' is missing.`
}

function firstComplaint(checks: (() => string | null)[]): string | null {
  for (const check of checks) {
    const complaint = check()
    if (complaint !== null) return complaint
  }
  return null
}
