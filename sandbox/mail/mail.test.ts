import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailSandbox } from './plugin.ts'
import { openMailStore } from './store.ts'

const started = new Date('2026-03-04T05:06:07.000Z')
let folder = ''
let sandbox: Awaited<ReturnType<typeof mailSandbox>>
let app: FastifyInstance

async function start() {
  sandbox = await mailSandbox({ store: join(folder, 'mail.sqlite'), now: () => started })
  app = Fastify()
  await app.register(sandbox.plugin, { prefix: '/sandbox/mail' })
}

async function stop() {
  await app.close()
  await sandbox.close()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanfare-mail-'))
  await start()
})
afterAll(async () => {
  await stop()
  await rm(folder, { recursive: true })
})

const transport = () => createTransport({ url: sandbox.smtpUrl })
const send = (message: Record<string, unknown>) =>
  transport().sendMail({ from: 'Fanfare <hello@fanfare.test>', subject: 'Hello', text: 'Hi', ...message })
const list = async (query = '') => (await app.inject(`/sandbox/mail/messages${query}`)).json().items

describe('the catcher', () => {
  test('keeps what a client sent, as JSON', async () => {
    await send({
      to: 'ada@example.com',
      subject: 'Bestätigen ✓',
      text: 'Confirm: https://fanfare.test/emailconfirmation?token=abc&email=ada%40example.com',
      html: '<p>Confirm <a href="https://fanfare.test/x?a=1&amp;b=2">here</a></p>',
    })
    const items = await list('?to=ADA@Example.com')
    expect(items).toEqual([
      {
        _id: expect.any(String),
        to: 'ada@example.com',
        from: 'Fanfare <hello@fanfare.test>',
        subject: 'Bestätigen ✓',
        text: 'Confirm: https://fanfare.test/emailconfirmation?token=abc&email=ada%40example.com\n',
        html: expect.stringContaining('<a href="https://fanfare.test/x?a=1&amp;b=2">here</a>'),
        receivedAt: '2026-03-04T05:06:07.000Z',
      },
    ])
  })

  test('answers newest first, each person their own', async () => {
    await send({ to: 'bob@example.com', subject: 'first' })
    await send({ to: ['bob@example.com', 'eve@example.com'], subject: 'second' })
    const subjects = async (to: string) =>
      (await list(`?to=${to}`)).map((item: { subject: string }) => item.subject)
    expect(await subjects('bob@example.com')).toEqual(['second', 'first'])
    expect(await subjects('eve@example.com')).toEqual(['second'])
    expect(await subjects('nobody@example.com')).toEqual([])
    expect((await list())[0].subject).toBe('second')
  })

  test.each([
    ['refused.test', 550],
    ['busy.test', 451],
  ])('refuses people at %s with %i and keeps nothing', async (domain, responseCode) => {
    await expect(send({ to: `ann@${domain}` })).rejects.toMatchObject({ responseCode })
    expect(await list(`?to=ann@${domain}`)).toEqual([])
  })

  test('refuses a message that is too large and keeps nothing', async () => {
    const text = 'x'.repeat(11 * 1024 * 1024)
    await expect(send({ to: 'big@example.com', text })).rejects.toMatchObject({ responseCode: 552 })
    expect(await list('?to=big@example.com')).toEqual([])
  })

  test('still has everything after a restart', async () => {
    await send({ to: 'kept@example.com', subject: 'kept' })
    await stop()
    await start()
    expect(await list('?to=kept@example.com')).toMatchObject([{ subject: 'kept' }])
  })

  test('keeps the newest 2,000', () => {
    const store = openMailStore(join(folder, 'full.sqlite'))
    const message = { from: 'a', text: '', html: '', receivedAt: started.toISOString() }
    const people = Array.from({ length: 1500 }, (_, index) => `p${index}@example.com`)
    store.add({ ...message, subject: 'old' }, people)
    store.add({ ...message, subject: 'new' }, people)
    const subjects = store.list(undefined, 5000).map(({ subject }) => subject)
    expect(subjects.length).toBe(2000)
    expect(subjects.filter((subject) => subject === 'new').length).toBe(1500)
    store.close()
  })
})

describe('the mailbox', () => {
  const payload = '<script>alert(1)</script><img src=x onerror=alert(1)>'

  test('shows a message without running or fetching anything in it', async () => {
    await send({ to: 'mallory@example.com', subject: payload, text: payload, html: `<p>hi</p>${payload}` })
    const [{ _id }] = await list('?to=mallory@example.com')
    const page = await app.inject(`/sandbox/mail?id=${_id}`)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['content-security-policy']).not.toContain('unsafe-inline')
    expect(page.body).not.toContain(payload)
    expect(page.body).not.toMatch(/<script|<style| style=| on\w+=(?!alert)/)
    expect(page.body).toContain(
      `src="/sandbox/mail/messages/${_id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"`,
    )
    const message = await app.inject(`/sandbox/mail/messages/${_id}/html`)
    const policy = String(message.headers['content-security-policy'])
    for (const part of ["default-src 'none'", "frame-ancestors 'self'", 'sandbox allow-popups'])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin|https?:/)
    expect(message.body).toContain('<base target="_blank">')
  })

  test('offers each message, the filter, and its style as a file', async () => {
    await send({ to: 'reader@example.com', subject: 'Listed' })
    const page = await app.inject('/sandbox/mail/?to=reader@example.com')
    expect(page.body.match(/<li>/g)?.length).toBe(1)
    expect(page.body).toContain('Listed')
    expect(page.body).toContain('value="reader@example.com"')
    const style = await app.inject('/sandbox/mail/mailbox.css')
    expect(style.headers['content-type']).toContain('text/css')
    expect((await app.inject('/sandbox/mail?to=none@example.com')).body).toContain(
      'No emails to this address yet.',
    )
  })

  test('knows no other message', async () => {
    expect((await app.inject('/sandbox/mail/messages/absent/html')).statusCode).toBe(404)
    expect((await app.inject('/sandbox/mail?id=absent')).statusCode).toBe(200)
  })
})
