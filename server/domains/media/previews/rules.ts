/** The kinds of pages that a shared link can lead to. */
export type SharedPage =
  | { kind: 'profile'; username: string }
  | { kind: 'offer'; username: string }
  | { kind: 'media'; mediaId: string }

/** The shared page behind a path of the site, or null for every other page. */
export function sharedPage(path: string): SharedPage | null {
  const [, username, offer] = /^\/users\/([^/]{1,100})(\/offers\/[^/]{1,100})?\/?$/.exec(path) ?? []
  if (username !== undefined) {
    const name = decoded(username)
    return name === null ? null : { kind: offer ? 'offer' : 'profile', username: name }
  }
  const [, mediaId] = /^\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i.exec(path) ?? []
  return mediaId === undefined ? null : { kind: 'media', mediaId }
}

/** Null for what is no address, and for NUL, which no name has and no database takes. */
function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
