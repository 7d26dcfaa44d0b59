import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFan } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

const OPERATOR = 'team@operator.test'
const message = 'I lost the way to my receipts.'

/** Each message has a number of its own, also what is dropped. */
const ANSWER = { success: true, caseNumber: expect.stringMatching(/^C-[2-9A-Z]{8}$/) }

type Mail = { to: string; subject: string; text: string; html: string }

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    rateLimits: true,
    environment: {
      OPERATOR_EMAIL: OPERATOR,
      GEO_REGION_HEADER: 'x-region',
      GEO_COUNTRY_HEADER: 'x-country',
      TRUST_PROXY: '127.0.0.1',
      SANDBOX_TOKEN: 'only the operator knows',
    },
  })
})
afterAll(() => harness?.stop())

/** Calls as a visitor from an address of its own, so that no test uses up another's limit. */
let addresses = 0
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` })
const send = (body: unknown, headers = elsewhere()) =>
  harness.api.visitor().send('POST', '/contact', { body, headers })

/** Everything that has reached the operator. */
async function mails(): Promise<Mail[]> {
  await harness.runJobs()
  const answer = await fetch(`${harness.sandboxOrigin}/sandbox/mail/messages?to=${OPERATOR}`)
  return ((await answer.json()) as { items: Mail[] }).items
}
/** The messages of one person; every test writes as somebody else. */
const mailsFrom = async (email: string) =>
  (await mails()).filter(({ subject }) => subject.endsWith(` ${email}`))

describe('writing to the operator', () => {
  test('mails the message with the address to answer to', async () => {
    const { status, body } = await send({ email: ' Ada@Example.TEST ', name: 'Ada', message })
    expect([status, body]).toEqual([200, ANSWER])
    const { caseNumber } = body as { caseNumber: string }
    const [mail, ...others] = await mailsFrom('ada@example.test')
    expect(others).toEqual([])
    expect(mail?.to).toContain(OPERATOR)
    expect(mail?.subject).toBe(`Fanfare: ${caseNumber} message from ada@example.test`)
    expect(mail?.text).toContain(
      `Case number: ${caseNumber}\nReply to: ada@example.test\nName: Ada\nAccount: not logged in`,
    )
    expect(mail?.text).toContain(message)
  })

  test('names the account of somebody logged in', async () => {
    const fan = await buildFan(harness)
    await harness.api.as(fan).call(routes.contact, { body: { email: fan.email, message } })
    const [mail] = await mailsFrom(fan.email)
    expect(mail?.text).toContain(`Name: not given\nAccount: ${fan.username}`)
  })

  test('works in a restricted region', async () => {
    const headers = { ...elsewhere(), 'x-country': 'US', 'x-region': 'Texas' }
    expect((await send({ email: 'tex@example.test', message }, headers)).status).toBe(200)
    expect(await mailsFrom('tex@example.test')).toHaveLength(1)
  })

  test('what people type stays text in the mail', async () => {
    await send({ email: 'eve@example.test', message: '<img src=x onerror=alert(1)> & more' })
    const [mail] = await mailsFrom('eve@example.test')
    expect(mail?.html).not.toContain('<img')
    expect(mail?.text).toContain('<img src=x onerror=alert(1)> & more')
  })

  test('a message with the field that people never see is dropped without a word', async () => {
    const { status, body } = await send({ email: 'bot@example.test', message, website: 'https://spam.test' })
    expect([status, body]).toEqual([200, ANSWER])
    expect(await mailsFrom('bot@example.test')).toEqual([])
  })

  test.each([
    ['email', { email: 'not an address', message }],
    ['email', { message }],
    ['message', { email: 'short@example.test', message: '  too short  '.slice(0, 9) }],
    ['message', { email: 'long@example.test', message: 'x'.repeat(5001) }],
    ['message', { email: 'nul@example.test', message: `${message}\0` }],
    ['name', { email: 'name@example.test', name: 'Two\nLines', message }],
  ])('refuses a wrong %s and sends nothing', async (field, body) => {
    const before = await mails()
    const answer = await send(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect((answer.body as { details: Record<string, string> }).details).toHaveProperty(field)
    expect(await mails()).toEqual(before)
  })

  test('takes five messages an hour from one address, and sends no sixth', async () => {
    const headers = elsewhere()
    const statuses: number[] = []
    for (let count = 1; count <= 6; count++)
      statuses.push((await send({ email: 'many@example.test', message }, headers)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(await mailsFrom('many@example.test')).toHaveLength(5)
  })
})
