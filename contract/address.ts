/** The parameters in the address of a call. */
export type AddressParts = { params?: Record<string, unknown>; query?: Record<string, unknown> }

/** The address of a call below `/api`; lists become repeated keys, absent values are left out. */
export function addressOf(path: string, { params = {}, query = {} }: AddressParts): string {
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) search.append(name, String(one))
    }
  }
  return `/api${filled}${search.size > 0 ? `?${search}` : ''}`
}
