/** Account and addresses of one Authorize.Net environment. */
export type Account = { apiUrl: string; apiLoginID: string; transactionKey: string; timeoutMs: number }

/** `unsent`: the connection never stood, so nothing can have been processed. `broken`: nobody knows. */
export type Answer =
  | { kind: 'answered'; body: unknown }
  | { kind: 'unsent'; detail: string }
  | { kind: 'broken'; detail: string }

/** Errors of a TLS handshake: they come before the request is sent. */
const HANDSHAKE_ERROR = /^(CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/

/**
 * Sends one call; `body` holds what follows `merchantAuthentication`, in schema order. Takes at most
 * `timeoutMs`. Never throws for the network, and never puts anything of a body into a detail.
 */
export async function send(account: Account, name: string, body: Record<string, unknown>): Promise<Answer> {
  const merchantAuthentication = { name: account.apiLoginID, transactionKey: account.transactionKey }
  try {
    const response = await fetch(account.apiUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [name]: { merchantAuthentication, ...body } }),
      redirect: 'manual',
      signal: AbortSignal.timeout(account.timeoutMs),
    })
    // text() drops the byte order mark that every answer begins with.
    const text = await response.text()
    if (response.status !== 200) return { kind: 'broken', detail: `http_${response.status}` }
    return parse(text)
  } catch (error) {
    return failure(error)
  }
}

function parse(text: string): Answer {
  try {
    return { kind: 'answered', body: JSON.parse(text) as unknown }
  } catch {
    return { kind: 'broken', detail: 'unreadable_answer' }
  }
}

function failure(error: unknown): Answer {
  if (error instanceof Error && error.name === 'TimeoutError') return { kind: 'broken', detail: 'timeout' }
  const cause =
    error instanceof Error
      ? (error.cause as { code?: unknown; syscall?: unknown; errors?: unknown } | undefined)
      : undefined
  const code = typeof cause?.code === 'string' ? cause.code : 'connection_failed'
  return { kind: neverConnected(cause, code) ? 'unsent' : 'broken', detail: code.toLowerCase() }
}

function neverConnected(cause: { syscall?: unknown; errors?: unknown } | undefined, code: string): boolean {
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || HANDSHAKE_ERROR.test(code)) return true
  // A host with several addresses fails with one error for each.
  const attempts: { syscall?: unknown }[] = Array.isArray(cause?.errors) ? cause.errors : [cause ?? {}]
  return attempts.every(({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo')
}
