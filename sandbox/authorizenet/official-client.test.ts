// @ts-expect-error: the vendor's own client has no types
import authorizenet from 'authorizenet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, CREDENTIALS, startGateway, TEST_CARD, type TestGateway } from './testing.ts'

/** Proves that others than our adapter understand the sandbox. */
const { APIContracts, APIControllers }: Answer = authorizenet

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

/** Fills an object of the client by its setters. */
function fill(type: string, values: Record<string, unknown>): Answer {
  const object = new APIContracts[type]()
  for (const [name, value] of Object.entries(values)) object[`set${name}`](value)
  return object
}

/** Sends a request by the client's controller. Its callback never comes when the connection fails. */
function execute(call: string, values: Record<string, unknown>): Promise<Answer> {
  const credentials = fill('MerchantAuthenticationType', {
    Name: CREDENTIALS.apiLoginID,
    TransactionKey: CREDENTIALS.transactionKey,
  })
  const request = fill(`${call}Request`, { MerchantAuthentication: credentials, ...values })
  const controller = new APIControllers[`${call}Controller`](request.getJSON())
  controller.setEnvironment(gateway.apiUrl)
  return new Promise((resolve) =>
    controller.execute(() => resolve(new APIContracts[`${call}Response`](controller.getResponse()))),
  )
}

const transaction = async (values: Record<string, unknown>): Promise<Answer> =>
  (
    await execute('CreateTransaction', { TransactionRequest: fill('TransactionRequestType', values) })
  ).getTransactionResponse()

const creditCard = () =>
  fill('PaymentType', {
    CreditCard: fill('CreditCardType', {
      CardNumber: TEST_CARD.cardNumber,
      ExpirationDate: TEST_CARD.expirationDate,
      CardCode: '123',
    }),
  })

const order = (invoiceNumber: string) =>
  fill('OrderType', { InvoiceNumber: invoiceNumber, Description: 'A test' })

test('charges a token, reads the details and voids', async () => {
  const { dataDescriptor, dataValue } = await gateway.token()
  const charged = await transaction({
    // The setters come in no order: the client writes the schema's.
    Order: order('client-1'),
    Payment: fill('PaymentType', {
      OpaqueData: fill('OpaqueDataType', { DataValue: dataValue, DataDescriptor: dataDescriptor }),
    }),
    Amount: 9.99,
    TransactionType: 'authCaptureTransaction',
    TransactionSettings: fill('ArrayOfSetting', {
      Setting: [fill('SettingType', { SettingName: 'duplicateWindow', SettingValue: '28800' })],
    }),
  })
  expect(charged.getResponseCode()).toBe('1')
  expect(charged.getMessages().getMessage()[0].getCode()).toBe('1')
  const details = (await execute('GetTransactionDetails', { TransId: charged.getTransId() })).getTransaction()
  expect(details.getTransactionStatus()).toBe('capturedPendingSettlement')
  expect(details.getAuthAmount()).toBe(9.99)
  const voided = await transaction({ TransactionType: 'voidTransaction', RefTransId: charged.getTransId() })
  expect([voided.getResponseCode(), voided.getTransId()]).toEqual(['1', charged.getTransId()])
})

test('reads a decline', async () => {
  const declined = await transaction({
    TransactionType: 'authCaptureTransaction',
    Amount: '70.01',
    Payment: creditCard(),
    Order: order('client-2'),
  })
  expect(declined.getResponseCode()).toBe('2')
  expect(declined.getErrors().getError()[0].getErrorCode()).toBe('2')
})

test('refunds what has settled', async () => {
  const charged = await transaction({
    TransactionType: 'authCaptureTransaction',
    Amount: '20.00',
    Payment: creditCard(),
    Order: order('client-3'),
  })
  await gateway.admin('POST', '/settle')
  const refunded = await transaction({
    TransactionType: 'refundTransaction',
    Amount: '5.00',
    Payment: fill('PaymentType', {
      CreditCard: fill('CreditCardType', { CardNumber: '1111', ExpirationDate: 'XXXX' }),
    }),
    RefTransId: charged.getTransId(),
  })
  expect(refunded.getResponseCode()).toBe('1')
  expect(refunded.getRefTransID()).toBe(charged.getTransId())
  const list = await execute('GetSettledBatchList', { IncludeStatistics: true })
  expect(list.getBatchList().getBatch()[0].getSettlementState()).toBe('settledSuccessfully')
})

test('stores a card, reads it, charges it and deletes it', async () => {
  const created = await execute('CreateCustomerProfile', {
    Profile: fill('CustomerProfileType', {
      Email: 'ann@example.test',
      MerchantCustomerId: 'client_fan',
      PaymentProfiles: [
        fill('CustomerPaymentProfileType', { Payment: creditCard(), CustomerType: 'individual' }),
      ],
    }),
    ValidationMode: 'liveMode',
  })
  expect(created.getMessages().getResultCode()).toBe('Ok')
  const customerProfileId: string = created.getCustomerProfileId()
  const paymentProfileId: string = created.getCustomerPaymentProfileIdList().getNumericString()[0]
  const found = await execute('GetCustomerProfile', { CustomerProfileId: customerProfileId })
  expect(found.getProfile().getPaymentProfiles()[0].getPayment().getCreditCard().getCardNumber()).toBe(
    'XXXX1111',
  )
  const charged = await transaction({
    TransactionType: 'authCaptureTransaction',
    Amount: '4.00',
    Profile: fill('CustomerProfilePaymentType', {
      CustomerProfileId: customerProfileId,
      PaymentProfile: fill('PaymentProfile', { PaymentProfileId: paymentProfileId }),
    }),
    Order: order('client-4'),
  })
  expect(charged.getResponseCode()).toBe('1')
  const list = await execute('GetUnsettledTransactionList', {})
  expect(
    list
      .getTransactions()
      .getTransaction()
      .map((row: Answer) => row.getInvoiceNumber()),
  ).toContain('client-4')
  const deleted = await execute('DeleteCustomerProfile', { CustomerProfileId: customerProfileId })
  expect(deleted.getMessages().getResultCode()).toBe('Ok')
})
