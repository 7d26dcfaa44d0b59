import { expect, test } from 'vitest'
import { outsideRefunds } from '../../../testing/money/outside-refunds.ts'
import { emailsTo } from '../../../testing/security.ts'

const scene = outsideRefunds()
const { send, record, settle, chargeForNothing, recoverRefused, charge, refundAtGateway } = scene
const told = async () =>
  (await emailsTo(scene.harness, scene.fan.email)).filter(({ subject }) => subject.startsWith('Your refund'))

test('a charge that granted nothing and was sent back another way isn’t said to be on the card statement', async () => {
  await chargeForNothing()
  await settle()
  await recoverRefused()
  await send()
  await record(`Wire ${crypto.randomUUID()}`)
  expect(await charge()).toMatchObject({ status: 'refunded' })
  const mails = await told()
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).not.toContain('Your card statement shows it')
  expect(mails[0]?.text).toContain('another way')
})

test('of one that went back to the card in part, and in part another way, each part is told', async () => {
  await chargeForNothing()
  await settle()
  await refundAtGateway(400)
  await recoverRefused()
  await send()
  await record(`Wire ${crypto.randomUUID()}`)
  const mails = await told()
  expect(mails.map(({ subject }) => subject)).toEqual(['Your refund of $10 · Fanfare'])
  expect(mails[0]?.text.replaceAll(/\s+/g, ' ')).toContain(
    'Your card statement shows $4 of it within 10 days. The other $6 couldn’t be refunded to your card, so we sent it another way.',
  )
})
