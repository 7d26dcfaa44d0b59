import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tokenise } from './accept.ts'
import { CardRefused } from './card.ts'

const card = {
  number: '4111 1111 1111 1111',
  expiry: '12/39',
  code: '123',
  zip: '94103 ',
  address: '1 Main St',
}
const account = { apiLoginID: 'shop', clientKey: 'key' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The gateway's own script as the page holds it. */
function gatewayScript(dispatchData: (data: object, answer: (answer: object) => void) => void) {
  vi.stubGlobal('Accept', { dispatchData })
}

test('a gateway script that never answers is given up, and says that nothing was charged', async () => {
  gatewayScript(() => {})
  const refused = expect(tokenise(card, account)).rejects.toThrow(CardRefused)
  await vi.advanceTimersByTimeAsync(20_000)
  await refused
})

test('an answer in time is taken, and no timer is left', async () => {
  const opaqueData = { dataDescriptor: 'a', dataValue: 'b' }
  let sent: object = {}
  gatewayScript((data, answer) => {
    sent = data
    setTimeout(() => answer({ messages: { resultCode: 'Ok', message: [] }, opaqueData }), 19_000)
  })
  const token = tokenise(card, account)
  await vi.advanceTimersByTimeAsync(19_000)
  expect(await token).toEqual(opaqueData)
  expect(sent).toMatchObject({ cardData: { cardNumber: '4111111111111111', cardCode: '123', zip: '94103' } })
  expect(JSON.stringify(sent)).not.toContain('Main St')
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  [
    false,
    'We can’t reach the payment service. You have not been charged. Check your connection and try again.',
  ],
  [
    true,
    'The payment service couldn’t accept these card details. You have not been charged. Please try again in a moment.',
  ],
])('what could not be encrypted, with a connection: %s', async (onLine, sentence) => {
  vi.stubGlobal('navigator', { onLine })
  gatewayScript((_data, answer) =>
    answer({
      messages: { resultCode: 'Error', message: [{ code: 'E_WC_14', text: 'Accept encryption failed.' }] },
    }),
  )
  await expect(tokenise(card, account)).rejects.toThrow(new CardRefused(sentence))
})
