import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { smtpMail } from './adapter.ts'

type Taken = { recipients: string[]; raw: string }
const message = {
  to: 'ada@example.com',
  subject: 'Welcome',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
  messageId: '<welcome.1@fanfare.test>',
}
const closers: Array<() => void> = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A mail server of another maker that takes everything, except for people it refuses. */
async function listen(refuses: (address: string) => boolean = () => false) {
  const taken: Taken[] = []
  let connections = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 1,
    onConnect(_session, done) {
      connections++
      done()
    },
    onRcptTo: ({ address }, _session, done) =>
      done(refuses(address) ? new Error('no such mailbox') : undefined),
    onData(stream, session, done) {
      buffer(stream).then((raw) => {
        taken.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), raw: raw.toString() })
        done(null)
      }, done)
    },
  })
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const mail = smtpMail({ url: `smtp://127.0.0.1:${port}`, from: 'Fanfare <hello@fanfare.test>' })
  closers.push(
    () => server.close(),
    () => mail.close(),
  )
  return {
    taken,
    mail,
    connections: () => connections,
    /** Ends all connections, as servers do that waited for long. */
    hangUp: () => {
      for (const connection of server.connections) connection.close()
    },
  }
}

describe('mail by SMTP', () => {
  test('hands the message over whole', async () => {
    const { taken, mail } = await listen()
    await mail.send(message)
    expect(taken.length).toBe(1)
    expect(taken[0]?.recipients).toEqual(['ada@example.com'])
    for (const part of [
      'From: Fanfare <hello@fanfare.test>',
      'To: ada@example.com',
      'Subject: Welcome',
      'Message-ID: <welcome.1@fanfare.test>',
      'Hello Ada',
      '<p>Hello Ada</p>',
      'multipart/alternative',
    ]) {
      expect(taken[0]?.raw).toContain(part)
    }
  })

  test('says where a POST ends mails like it, of those that can be ended', async () => {
    const { taken, mail } = await listen()
    const unsubscribeUrl = 'https://fanfare.test/api/notifications/unsubscribe/someone.sales.signature'
    await mail.send({ ...message, unsubscribeUrl })
    await mail.send(message)
    const [ended, required] = taken.map(({ raw }) => raw.replaceAll(/\r\n\s+/g, ' '))
    expect(ended).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`)
    expect(ended).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(required).not.toContain('List-Unsubscribe')
  })

  test('a line break in a field adds no header and no recipient', async () => {
    const { taken, mail } = await listen()
    await mail.send({ ...message, subject: 'Hi\r\nBcc: eve@example.com' })
    expect(taken[0]?.recipients).toEqual(['ada@example.com'])
    expect(taken[0]?.raw).not.toMatch(/^Bcc:/im)
  })

  test('a list of addresses is no way to reach two people', async () => {
    const { taken, mail } = await listen()
    await mail.send({ ...message, to: 'ada@example.com, eve@example.com' }).catch(() => {})
    expect(taken.flatMap(({ recipients }) => recipients)).not.toContain('eve@example.com')
  })

  test('throws when the server refuses, and nothing was sent', async () => {
    const { taken, mail } = await listen(() => true)
    await expect(mail.send(message)).rejects.toThrow('no such mailbox')
    expect(taken).toEqual([])
  })

  test('takes messages that follow one another on one connection, and on another one once that has ended', async () => {
    const { taken, mail, connections, hangUp } = await listen()
    for (const _ of [1, 2, 3]) await mail.send(message)
    expect(connections()).toBe(1)
    hangUp()
    for (const _ of [1, 2]) await mail.send(message)
    expect([taken.length, connections()]).toEqual([5, 2])
  })

  test('throws when nobody answers', async () => {
    const mail = smtpMail({ url: 'smtp://127.0.0.1:1', from: 'hello@fanfare.test' })
    await expect(mail.send(message)).rejects.toThrow('ECONNREFUSED')
  })

  test('gives up on a server that never greets', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    closers.push(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const mail = smtpMail({ url: `smtp://127.0.0.1:${port}`, from: 'hello@fanfare.test', stepMs: 2_000 })
    await expect(mail.send(message)).rejects.toThrow('Greeting never received')
  })
})
