import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errors } from '../../contract/errors.ts'

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
