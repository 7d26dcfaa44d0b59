import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errors } from '../../contract/errors.ts'

/** What answers something else than pages. */
const NO_PAGES = /^\/(api|files|assets|sandbox|socket\.io)(\/|$)/
/** The address of no page. */
const UNKNOWN_PAGE = '/not-found'

/** Whether pages are served below this path. */
export const isPagePath = (pathname: string): boolean => !NO_PAGES.test(pathname)

/**
 * The address that a request is routed by. A browser that asks for a page by an address that can't be decoded is led to no
 * page, whose answer is the site's own; the router would refuse it in JSON.
 */
export function routedUrl({ url = '/', method, headers }: IncomingMessage): string {
  const [pathname = '/'] = url.split('?')
  const isVisit = (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html')
  return isVisit && isPagePath(pathname) && !isDecodable(pathname) ? UNKNOWN_PAGE : url
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}

/** Answers requests that the server couldn't parse, in the shape of every refusal, and ends the connection. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_body'
  const { status, text: sentence } = errors[code]
  const body = JSON.stringify({ error: sentence, code })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    'cache-control: private, no-store',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
