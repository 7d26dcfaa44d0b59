import { findTransaction, type Gateway, type TransactionRow } from '../gateway.ts'
import {
  type Customer,
  findDuplicate,
  findProfile,
  insertPaymentProfile,
  insertProfile,
} from '../profiles.ts'
import { ApiError, at, messages, ok, textAt } from '../wire.ts'
import type { Call, Reply } from './call.ts'

/** `profileResponse` beside a charge with `createProfile`; its failure leaves the charge as it is. */
export function profileWithCharge(
  gateway: Gateway,
  row: TransactionRow,
  options: { fails: boolean },
): Record<string, unknown> {
  const customer = { merchantCustomerId: row.customerId, description: '', email: row.customerEmail }
  try {
    if (options.fails) throw new ApiError('E00104', 'The server is in maintenance.')
    const profileId = createCustomer(gateway, customer)
    const paymentProfileId = addCard(gateway, profileId, row, false)
    return {
      messages: ok(),
      customerProfileId: String(profileId),
      customerPaymentProfileIdList: [String(paymentProfileId)],
      customerShippingAddressIdList: [],
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { messages: messages(error.code, error.message) }
  }
}

/** `createCustomerProfileFromTransactionRequest`. */
export function createProfileFromTransaction(gateway: Gateway, call: Call): Reply {
  const row = findTransaction(gateway, textAt(call.request, 'transId'))
  if (row?.responseCode !== 1) throw new ApiError('E00099', 'A profile cannot be made of this transaction.')
  const customerProfileId = textAt(call.request, 'customerProfileId')
  const customer = at(call.request, 'customer')
  const profile =
    customerProfileId && findProfile(gateway, { customerProfileId, merchantCustomerId: '', email: '' })
  if (customerProfileId && !profile) throw new ApiError('E00040', 'The record cannot be found.')
  const profileId = profile
    ? profile.id
    : createCustomer(gateway, {
        merchantCustomerId: textAt(customer, 'merchantCustomerId') || row.customerId,
        description: textAt(customer, 'description'),
        email: textAt(customer, 'email') || row.customerEmail,
      })
  const paymentProfileId = addCard(
    gateway,
    profileId,
    row,
    textAt(call.request, 'defaultPaymentProfile') === 'true',
  )
  return {
    body: {
      customerProfileId: String(profileId),
      customerPaymentProfileIdList: [String(paymentProfileId)],
      customerShippingAddressIdList: [],
      validationDirectResponseList: [],
      messages: ok(),
    },
  }
}

/** Makes a customer; E00102 without any field, E00039 when it exists. */
function createCustomer(gateway: Gateway, customer: Customer): number {
  if (!customer.merchantCustomerId && !customer.email)
    throw new ApiError('E00102', 'Customer information is missing.')
  const duplicate = findDuplicate(gateway, customer)
  if (duplicate) throw new ApiError('E00039', `A duplicate record with ID ${duplicate.id} already exists.`)
  return insertProfile(gateway, customer)
}

function addCard(gateway: Gateway, profileId: number, row: TransactionRow, isDefault: boolean): number {
  const added = insertPaymentProfile(gateway, profileId, row, {
    customerType: '',
    billTo: row.billTo,
    networkTransId: row.networkTransId,
    isDefault,
  })
  if (added.kind === 'duplicate') throw new ApiError('E00039', 'A duplicate payment profile already exists.')
  if (added.kind === 'full')
    throw new ApiError('E00042', 'The customer has as many payment profiles as can be.')
  gateway.db
    .prepare('update transactions set profileId = ?, paymentProfileId = ? where id = ?')
    .run(profileId, added.id, row.id)
  return added.id
}
