import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Address } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { MailStore } from './store.ts'

const maxMessageBytes = 10 * 1024 * 1024

/** Domains whose people cannot be reached: for good, and for now. */
const refusals = new Map([
  ['refused.test', refusal(550, 'No such mailbox')],
  ['busy.test', refusal(451, 'Try again later')],
])

/**
 * An SMTP server on a free port of this machine that takes messages for everybody and delivers none: a
 * message is stored before it is acknowledged. It speaks plain SMTP, without TLS and without login.
 */
export async function startCatcher(options: { store: MailStore; now: () => Date }): Promise<{
  smtpUrl: string
  close(): Promise<void>
}> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxMessageBytes,
    closeTimeout: 1000,
    onRcptTo({ address }, _session, done) {
      done(refusals.get(address.split('@')[1]?.toLowerCase() ?? ''))
    },
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      buffer(stream)
        .then(async (raw) => {
          if (stream.sizeExceeded) throw refusal(552, 'Message is too large')
          options.store.add(await parse(raw, options.now()), recipients)
        })
        .then(() => done(null, 'stored'), done)
    },
  })
  // A client that breaks off is its own business.
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function parse(raw: Buffer, receivedAt: Date) {
  const email = await PostalMime.parse(raw)
  return {
    from: email.from ? display(email.from) : '',
    subject: email.subject ?? '',
    text: email.text ?? '',
    html: email.html ?? '',
    receivedAt: receivedAt.toISOString(),
  }
}

function display({ name, address }: Address): string {
  return name && address ? `${name} <${address}>` : (address ?? name)
}

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}
