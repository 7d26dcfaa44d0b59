import {
  boolean,
  dateTime,
  type Element,
  group,
  integer,
  numericString,
  oneOf,
  repeated,
  required,
  text,
} from './element.ts'
import {
  changedPaymentProfile,
  customerBase,
  merchantAuthentication,
  paymentProfile,
  transactionRequest,
  validationMode,
} from './parts.ts'

const request = (children: Record<string, Element>): Element =>
  group({
    merchantAuthentication: required(merchantAuthentication),
    clientId: text(30),
    refId: text(20),
    ...children,
  })

const paging = group({ limit: required(integer), offset: required(integer) })
const sorting = group({ orderBy: required(oneOf('id', 'submitTimeUTC')), orderDescending: required(boolean) })

/** Every call that the sandbox answers, with its elements in schema order. */
export const requests = {
  authenticateTestRequest: request({}),
  getMerchantDetailsRequest: request({}),
  securePaymentContainerRequest: request({
    data: required(
      group({
        type: required(oneOf('TOKEN')),
        id: required(text(64)),
        token: group({
          cardNumber: required(text(16)),
          expirationDate: required(text(7)),
          cardCode: { pattern: /^(\d{3,4})?$/ },
          zip: text(20),
          fullName: text(64),
        }),
      }),
    ),
  }),
  createTransactionRequest: request({ transactionRequest: required(transactionRequest) }),
  updateHeldTransactionRequest: request({
    heldTransactionRequest: required(
      group({ action: required(oneOf('approve', 'decline')), refTransId: required(numericString) }),
    ),
  }),
  createCustomerProfileRequest: request({
    profile: required(
      group({
        ...customerBase,
        paymentProfiles: repeated(paymentProfile),
        profileType: oneOf('regular', 'guest'),
      }),
    ),
    validationMode,
  }),
  createCustomerPaymentProfileRequest: request({
    customerProfileId: required(numericString),
    paymentProfile: required(paymentProfile),
    validationMode,
  }),
  updateCustomerPaymentProfileRequest: request({
    customerProfileId: required(numericString),
    paymentProfile: required(changedPaymentProfile),
    validationMode,
  }),
  createCustomerProfileFromTransactionRequest: request({
    transId: required(numericString),
    customer: group(customerBase),
    customerProfileId: numericString,
    defaultPaymentProfile: boolean,
    defaultShippingAddress: boolean,
    profileType: oneOf('regular', 'guest'),
  }),
  getCustomerProfileRequest: request({
    customerProfileId: numericString,
    merchantCustomerId: text(20),
    email: text(),
    unmaskExpirationDate: boolean,
    includeIssuerInfo: boolean,
  }),
  getCustomerPaymentProfileRequest: request({
    customerProfileId: required(numericString),
    customerPaymentProfileId: required(numericString),
    unmaskExpirationDate: boolean,
    includeIssuerInfo: boolean,
  }),
  deleteCustomerProfileRequest: request({ customerProfileId: required(numericString) }),
  deleteCustomerPaymentProfileRequest: request({
    customerProfileId: required(numericString),
    customerPaymentProfileId: required(numericString),
  }),
  getTransactionDetailsRequest: request({ transId: required(numericString) }),
  getUnsettledTransactionListRequest: request({ status: oneOf('any', 'pendingApproval'), sorting, paging }),
  getSettledBatchListRequest: request({
    includeStatistics: boolean,
    firstSettlementDate: dateTime,
    lastSettlementDate: dateTime,
  }),
  getTransactionListRequest: request({ batchId: required(numericString), sorting, paging }),
  getBatchStatisticsRequest: request({ batchId: required(numericString) }),
} satisfies Record<string, Element>

export type CallName = keyof typeof requests

export const isCallName = (name: string): name is CallName => Object.hasOwn(requests, name)
