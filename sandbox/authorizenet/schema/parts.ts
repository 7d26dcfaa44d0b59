import {
  boolean,
  decimal,
  type Element,
  group,
  numericString,
  oneOf,
  repeated,
  required,
  text,
} from './element.ts'

/** First children of every call. */
export const merchantAuthentication = group({
  name: required(text(25)),
  transactionKey: text(16),
  sessionToken: text(),
  password: text(40),
  clientKey: text(),
  accessToken: text(),
})

const opaqueData = group({ dataDescriptor: required(text()), dataValue: required(text(8192)) })

export const payment = group({
  creditCard: group({
    cardNumber: required(text(16)),
    expirationDate: required(text(7)),
    cardCode: { pattern: /^\d{3,4}$/ },
  }),
  opaqueData,
})

const address: Record<string, Element> = {
  firstName: text(50),
  lastName: text(50),
  company: text(50),
  address: text(60),
  city: text(40),
  state: text(40),
  zip: text(20),
  country: text(60),
}

const billTo = group({ ...address, phoneNumber: text(25), faxNumber: text(25), email: text() })
const amountWithName = group({ amount: required(decimal), name: text(31), description: text(255) })
const customerType = oneOf('individual', 'business')

const subsequentAuthInformation = group({
  originalNetworkTransId: { pattern: /^[A-Za-z0-9 ]{0,255}$/ },
  originalAuthAmount: decimal,
  reason: oneOf('resubmission', 'delayedCharge', 'reauthorization', 'noShow'),
})

/** `transactionRequest`, the elements for card payments. */
export const transactionRequest = group({
  transactionType: required(text()),
  amount: decimal,
  currencyCode: text(),
  payment,
  profile: group({
    createProfile: boolean,
    customerProfileId: numericString,
    paymentProfile: group({ paymentProfileId: required(numericString), cardCode: { pattern: /^\d{3,4}$/ } }),
    shippingProfileId: numericString,
  }),
  solution: group({ id: required(text(50)), name: text(255), vendorName: text(255) }),
  authCode: text(),
  refTransId: text(),
  order: group({ invoiceNumber: text(20), description: text(255) }),
  lineItems: group({
    lineItem: repeated(
      group({
        itemId: required(text(31)),
        name: required(text(31)),
        description: text(255),
        quantity: required(decimal),
        unitPrice: required(decimal),
        taxable: boolean,
      }),
    ),
  }),
  tax: amountWithName,
  duty: amountWithName,
  shipping: amountWithName,
  taxExempt: boolean,
  poNumber: text(),
  customer: group({ type: customerType, id: text(20), email: text(255) }),
  billTo,
  shipTo: group(address),
  customerIP: text(),
  transactionSettings: group({ setting: repeated(group({ settingName: text(), settingValue: text() })) }),
  userFields: group({ userField: repeated(group({ name: text(), value: text() })) }),
  surcharge: amountWithName,
  merchantDescriptor: text(),
  processingOptions: group({
    isFirstRecurringPayment: boolean,
    isFirstSubsequentAuth: boolean,
    isSubsequentAuth: boolean,
    isStoredCredentials: boolean,
  }),
  subsequentAuthInformation,
})

/** A customer without cards, as `createCustomerProfileFromTransactionRequest` takes it. */
export const customerBase: Record<string, Element> = {
  merchantCustomerId: text(20),
  description: text(255),
  email: text(255),
}

const paymentProfileBase: Record<string, Element> = {
  customerType,
  billTo,
  payment,
  defaultPaymentProfile: boolean,
  subsequentAuthInformation,
  excludeFromAccountUpdater: boolean,
}

export const paymentProfile = group(paymentProfileBase)

/** One that exists, as `updateCustomerPaymentProfileRequest` takes it. */
export const changedPaymentProfile = group({
  ...paymentProfileBase,
  customerPaymentProfileId: required(numericString),
})

export const validationMode = oneOf('none', 'testMode', 'liveMode', 'oldLiveMode')
