/** The results of the forum’s redirect. */
export type Redirect =
  | { kind: 'allowed'; code: string; state: string }
  | { kind: 'denied' | 'error' | 'other-person' | 'nothing' }

/** Reads the redirect’s query; only the person whose id begins `state` is connected. */
export function redirectOf(query: URLSearchParams, userId: string): Redirect {
  const [code, state, error] = [query.get('code'), query.get('state'), query.get('error')]
  if (error === 'access_denied') return { kind: 'denied' }
  if (error) return { kind: 'error' }
  if (!code || !state) return { kind: 'nothing' }
  return state.split('.')[0] === userId ? { kind: 'allowed', code, state } : { kind: 'other-person' }
}
