import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, startGateway, type TestGateway } from './testing.ts'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.close())

const code = (answer: Answer): string => answer.messages.message[0].code

const create = async (card: Record<string, string> = {}, validationMode = 'none') =>
  gateway.call('createCustomerProfileRequest', {
    profile: {
      merchantCustomerId: 'fan_1',
      email: 'ann@example.test',
      paymentProfiles: [{ payment: { opaqueData: await gateway.token(card) } }],
    },
    validationMode,
  })

const chargeStored = (customerProfileId: string, paymentProfileId: string, amount = '9.99') =>
  gateway.call('createTransactionRequest', {
    transactionRequest: {
      transactionType: 'authCaptureTransaction',
      amount,
      profile: { customerProfileId, paymentProfile: { paymentProfileId } },
      order: { invoiceNumber: crypto.randomUUID().slice(0, 20) },
      transactionSettings: { setting: [{ settingName: 'recurringBilling', settingValue: 'true' }] },
    },
  })

describe('a card stored with a charge', () => {
  test('one token charges, stores, and the card can be charged again', async () => {
    const { transactionResponse, profileResponse } = await gateway.charge({
      profile: { createProfile: true },
    })
    expect(profileResponse).toMatchObject({
      messages: { resultCode: 'Ok' },
      customerPaymentProfileIdList: [expect.stringMatching(/^\d+$/)],
    })
    const again = await chargeStored(
      profileResponse.customerProfileId,
      profileResponse.customerPaymentProfileIdList[0],
    )
    expect(again.transactionResponse).toMatchObject({ responseCode: '1', accountNumber: 'XXXX1111' })
    const details = await gateway.call('getTransactionDetailsRequest', {
      transId: again.transactionResponse.transId,
    })
    expect(details.transaction).toMatchObject({
      recurringBilling: true,
      profile: { customerProfileId: profileResponse.customerProfileId },
    })
    expect(again.transactionResponse.transId).not.toBe(transactionResponse.transId)
  })

  test.each([
    ['the customer exists', { rest: {} }, 'E00039'],
    ['it was asked to fail', { card: { cardCode: '215' }, rest: { customer: { id: 'fan_2' } } }, 'E00104'],
    ['there is no customer', { rest: { customer: {} } }, 'E00102'],
  ])('the charge stands when %s', async (_name, wanted, expected) => {
    await gateway.charge({ profile: { createProfile: true } })
    const { transactionResponse, profileResponse } = await gateway.charge({
      profile: { createProfile: true },
      ...wanted,
    })
    expect(transactionResponse.responseCode).toBe('1')
    expect(profileResponse).toEqual({
      messages: { resultCode: 'Error', message: [{ code: expected, text: expect.any(String) }] },
    })
  })

  test('a declined charge stores nothing', async () => {
    const answer = await gateway.charge({ card: { cardCode: '201' }, profile: { createProfile: true } })
    expect(answer).not.toHaveProperty('profileResponse')
    expect(code(await gateway.call('getCustomerProfileRequest', { merchantCustomerId: 'fan_1042' }))).toBe(
      'E00040',
    )
  })
})

describe('a profile of a finished charge', () => {
  test('is made once; a second card joins it, the same card is a duplicate', async () => {
    const [first, second, third] = [
      await gateway.charge(),
      await gateway.charge({ card: { cardNumber: '4007000000027' } }),
      await gateway.charge(),
    ].map((answer) => answer.transactionResponse.transId)
    const from = (content: Record<string, unknown>) =>
      gateway.call('createCustomerProfileFromTransactionRequest', content)
    const created = await from({ transId: first, customer: { merchantCustomerId: 'fan_9' } })
    expect(code(created)).toBe('I00001')
    const customerProfileId: string = created.customerProfileId
    expect(code(await from({ transId: second, customer: { merchantCustomerId: 'fan_9' } }))).toBe('E00039')
    expect((await from({ transId: second, customerProfileId })).customerProfileId).toBe(customerProfileId)
    expect(code(await from({ transId: third, customerProfileId }))).toBe('E00039')
    const { profile } = await gateway.call('getCustomerProfileRequest', { merchantCustomerId: 'fan_9' })
    expect(profile.paymentProfiles.map((card: Answer) => card.payment.creditCard.cardNumber)).toEqual([
      'XXXX1111',
      'XXXX0027',
    ])
  })

  test('needs an approved charge', async () => {
    const { transactionResponse } = await gateway.charge({ card: { cardCode: '201' } })
    for (const transId of [transactionResponse.transId, '123']) {
      expect(code(await gateway.call('createCustomerProfileFromTransactionRequest', { transId }))).toBe(
        'E00099',
      )
    }
  })
})

describe('a profile of a token', () => {
  test('shows no more of a card than its end, and its expiry when asked', async () => {
    const { customerProfileId } = await create()
    const masked = await gateway.call('getCustomerProfileRequest', { customerProfileId })
    expect(masked.profile.paymentProfiles[0].payment.creditCard).toEqual({
      cardNumber: 'XXXX1111',
      expirationDate: 'XXXX',
      cardType: 'Visa',
    })
    const shown = await gateway.call('getCustomerProfileRequest', {
      customerProfileId,
      unmaskExpirationDate: true,
    })
    expect(shown.profile.paymentProfiles[0].payment.creditCard.expirationDate).toBe('2049-12')
  })

  test('liveMode refuses a card that would be declined, and stores nothing', async () => {
    const refused = await create({ cardCode: '201' }, 'liveMode')
    expect(code(refused)).toBe('E00027')
    expect(refused.validationDirectResponseList[0]).toMatch(/^2,1,2,/)
    expect(code(await gateway.call('getCustomerProfileRequest', { merchantCustomerId: 'fan_1' }))).toBe(
      'E00040',
    )
    const passed = await create({}, 'liveMode')
    expect(passed.validationDirectResponseList[0]).toMatch(/^1,1,1,,000000,Y,0,,,0\.00,/)
  })

  test('uses the token up', async () => {
    const opaqueData = await gateway.token()
    const profile = (merchantCustomerId: string) => ({
      profile: { merchantCustomerId, paymentProfiles: { payment: { opaqueData } } },
    })
    expect(code(await gateway.call('createCustomerProfileRequest', profile('fan_2')))).toBe('I00001')
    expect(code(await gateway.call('createCustomerProfileRequest', profile('fan_3')))).toBe('E00114')
  })

  test('a duplicate card names the one that is there; the eleventh card is E00042', async () => {
    const { customerProfileId, customerPaymentProfileIdList } = await create()
    const add = async (card: Record<string, string>) =>
      gateway.call('createCustomerPaymentProfileRequest', {
        customerProfileId,
        paymentProfile: { payment: { opaqueData: await gateway.token(card) } },
      })
    const duplicate = await add({})
    expect(code(duplicate)).toBe('E00039')
    expect(duplicate.customerPaymentProfileId).toBe(customerPaymentProfileIdList[0])
    for (let count = 1; count < 10; count += 1)
      expect(code(await add({ zip: String(90_000 + count) }))).toBe('I00001')
    expect(code(await add({ zip: '99999' }))).toBe('E00042')
  })

  test('a card that is accepted once and declined when stored', async () => {
    const { customerProfileId, customerPaymentProfileIdList } = await create(
      { cardNumber: '4000000000000341' },
      'liveMode',
    )
    const renewal = await chargeStored(customerProfileId, customerPaymentProfileIdList[0])
    expect(renewal.transactionResponse).toMatchObject({ responseCode: '2', errors: [{ errorCode: '2' }] })
  })

  test('what is deleted can be neither read nor charged', async () => {
    const { customerProfileId, customerPaymentProfileIdList } = await create()
    const customerPaymentProfileId: string = customerPaymentProfileIdList[0]
    const card = { customerProfileId, customerPaymentProfileId }
    expect((await gateway.call('getCustomerPaymentProfileRequest', card)).paymentProfile).toMatchObject(card)
    await gateway.call('deleteCustomerPaymentProfileRequest', card)
    expect(code(await gateway.call('getCustomerPaymentProfileRequest', card))).toBe('E00040')
    expect(code(await chargeStored(customerProfileId, customerPaymentProfileId))).toBe('E00040')
    await gateway.call('deleteCustomerProfileRequest', { customerProfileId })
    expect(code(await gateway.call('getCustomerProfileRequest', { customerProfileId }))).toBe('E00040')
  })
})
