import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { outsideRefunds } from '../../../testing/money/outside-refunds.ts'
import { violations } from '../../../testing/year/accounts.ts'
import { findBooks } from '../ledger/books/data.ts'

const scene = outsideRefunds()
const { buy, operator, refund, send, outside, whileRefusing, transfer } = scene

test('a document counts once for an order, and is missing until the books have its transfer', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  await outside(document)
  await expect(refund('$2')).rejects.toMatchObject({ code: 'refund_refused' })
  await expect(outside(document.toUpperCase())).rejects.toMatchObject({
    status: 409,
    code: 'document_recorded',
  })
  await send(false)
  const missing = async () =>
    (await (await operator()).call(routes.undecidedPayments, {})).items.filter(
      (item) => item.status === 'transfer_missing' && item.transactionId === scene.transactionId,
    )
  const differing = async () =>
    (await findBooks(scene.harness.context.db)).discrepancies.filter(({ id }) => id === document)
  expect(await missing()).toMatchObject([{ amount: '$4', reference: document }])
  expect(await differing()).toMatchObject([{ expected: 400, found: 0 }])
  await transfer(document, '$4')
  expect(await missing()).toEqual([])
  expect(await differing()).toEqual([])
})

test('a document stands for all that it paid back, and for all its lines in the books', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  const orders: string[] = []
  const differing = async () => {
    const { items } = await (await operator()).call(routes.undecidedPayments, {})
    const { discrepancies } = await findBooks(scene.harness.context.db)
    return {
      listed: items
        .filter((item) => item.status === 'transfer_missing' && orders.includes(item.transactionId))
        .map(({ amount }) => amount),
      books: discrepancies
        .filter(({ id }) => id.toLowerCase() === document.toLowerCase())
        .map(({ expected, found }) => [expected, found]),
    }
  }
  const giveBack = async (amount: string, by: string) => {
    scene.transactionId = await buy()
    orders.push(scene.transactionId)
    await expect(refund(amount)).rejects.toMatchObject({ code: 'refund_refused' })
    await outside(by)
  }
  const none = { listed: [], books: [] }
  await giveBack('$4', document)
  await transfer(document, '$6', { to: 'suspense' })
  expect(await differing()).toEqual({ listed: ['$4'], books: [[400, 600]] })
  await transfer(`${document}/2`, '$2', { from: 'gateway', to: 'bank' })
  expect(await differing()).toEqual(none)

  await giveBack('$3', document.toUpperCase())
  expect(await differing()).toEqual({ listed: ['$4', '$3'], books: [[700, 400]] })
  await transfer(`${document}/3`, '$3')
  expect(await differing()).toEqual(none)

  // The same transfer paid something else, too, and some of that came back.
  await transfer(`${document}/5`, '$6', { to: 'suspense' })
  expect(await differing()).toEqual(none)
  await transfer(`${document}/6`, '$1', { from: 'suspense', to: 'bank' })
  expect(await differing()).toEqual(none)

  // A line that is a document of its own is that alone.
  await giveBack('$1', `${document}/4`)
  await transfer(`${document}/4`, '$1')
  expect(await differing()).toEqual(none)
})

test('what the same transfer paid beside a refund is none of it, and what came back of it is', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  await outside(document)
  const differing = async () =>
    (await findBooks(scene.harness.context.db)).discrepancies
      .filter(({ id }) => id === document)
      .map(({ expected, found }) => [expected, found])
  await transfer(document, '$6', { to: 'suspense' })
  expect(await differing()).toEqual([[400, 600]])
  await transfer(`${document}/2`, '$4', { to: 'suspense' })
  expect(await differing()).toEqual([])
  await transfer(`${document}/3`, '$4')
  expect(await differing()).toEqual([])
  await transfer(`${document}/4`, '$4', { from: 'gateway', to: 'bank' })
  await transfer(`${document}/5`, '$10', { from: 'suspense', to: 'bank' })
  expect(await differing()).toEqual([[400, 0]])
})

test('what was recorded before there was a first step is left out of what the books compare', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  await whileRefusing(() => refund('$10'))
  await outside(document)
  await scene.harness.context.db
    .updateTable('refunds')
    .set({ outside_since: null, outside_by: null })
    .where('order_id', '=', scene.transactionId)
    .execute()
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === scene.transactionId)).toEqual([])
  const { discrepancies } = await findBooks(scene.harness.context.db)
  expect(discrepancies.filter(({ id }) => id === document)).toEqual([])
})

test('what was given back another way, once its transfers are entered, leaves nothing that doesn’t match', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  await whileRefusing(() => refund('$10'))
  await outside(document)
  await transfer(document, '$10')
  const { discrepancies } = await findBooks(scene.harness.context.db)
  // Other tests leave their transfers out.
  expect(discrepancies.filter(({ what }) => !what.startsWith('Refund made elsewhere'))).toEqual([])
  expect(discrepancies.filter(({ id }) => id === document)).toEqual([])
  expect(await violations(scene.harness)).toEqual({})
})
