import { createTransport } from 'nodemailer'
import type { Mail } from '../port.ts'

/** Longest wait for a message as a whole, in milliseconds. */
const messageMs = 60_000

/**
 * Sends through the SMTP server at `url` (`smtp://` or `smtps://`, with user and password in it when it wants them),
 * from the address `from` (`Name <address>`). No step of the conversation waits longer than `stepMs` (10 seconds),
 * no message longer than a minute. Messages that follow one another share a connection. Nothing of a message is logged.
 */
export function smtpMail(options: { url: string; from: string; stepMs?: number }): Mail {
  const { stepMs = 10_000 } = options
  const transport = createTransport({
    url: options.url,
    // Greeting, encryption, and login take longer than a message, and those of a digest follow one another.
    pool: true,
    idleTimeout: stepMs,
    // A connection that the server has just given up: once more on a new one, else the job tries again.
    maxRequeues: 1,
    logger: false,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    dnsTimeout: stepMs,
    // Longer than the steps it watches over, so that a step's own limit is what is reported.
    socketTimeout: 2 * stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html, messageId, unsubscribeUrl }) {
      await transport.sendMail({
        from: options.from,
        // As an object it is one recipient, whatever commas or brackets it holds.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId,
        ...(unsubscribeUrl ? { headers: oneClick(unsubscribeUrl) } : {}),
        signal: AbortSignal.timeout(messageMs),
      })
    },
    close: () => transport.close(),
  }
}

const oneClick = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
