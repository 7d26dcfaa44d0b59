import { createHash } from 'node:crypto'
import type { CardToken, Charge } from '../port.ts'

/** The longest window there is: a repeated reference is caught for eight hours. */
const DUPLICATE_WINDOW_SECONDS = '28800'
const MAX_CUSTOMER_ID = 20
const MAX_DESCRIPTION = 255

/** `createTransactionRequest` after `merchantAuthentication`, in schema order. */
export function chargeRequest(wanted: Charge): Record<string, unknown> {
  const { source, reference, customer } = wanted
  const isStored = 'storedCard' in source
  const isRenewal = wanted.occasion === 'renewal'
  const savesCard = !isStored && source.saveCard
  return {
    refId: reference,
    transactionRequest: {
      transactionType: 'authCaptureTransaction',
      amount: `${Math.floor(wanted.amountCents / 100)}.${String(wanted.amountCents % 100).padStart(2, '0')}`,
      currencyCode: 'USD',
      ...(isStored
        ? {
            profile: {
              customerProfileId: source.storedCard.customerProfileId,
              paymentProfile: { paymentProfileId: source.storedCard.paymentProfileId },
            },
          }
        : {
            payment: {
              opaqueData: { dataDescriptor: source.token.dataDescriptor, dataValue: source.token.dataValue },
            },
            ...(savesCard ? { profile: { createProfile: true } } : {}),
          }),
      order: { invoiceNumber: reference, description: wanted.description.slice(0, MAX_DESCRIPTION) },
      ...(isStored ? {} : { customer: { id: customerIdOf(customer.id), email: customer.email } }),
      ...('token' in source ? billTo(source.token) : {}),
      ...(customer.ip ? { customerIP: customer.ip } : {}),
      transactionSettings: {
        setting: [
          { settingName: 'allowPartialAuth', settingValue: 'false' },
          { settingName: 'duplicateWindow', settingValue: DUPLICATE_WINDOW_SECONDS },
          { settingName: 'emailCustomer', settingValue: 'false' },
          ...(isRenewal ? [{ settingName: 'recurringBilling', settingValue: 'true' }] : []),
        ],
      },
      ...processingOptions({
        isFirst: wanted.occasion === 'firstRecurring',
        savesCard,
        isStored,
        isRenewal,
      }),
      ...(isStored && source.networkTransactionId
        ? { subsequentAuthInformation: { originalNetworkTransId: source.networkTransactionId } }
        : {}),
    },
  }
}

/** The billing address of a card that was typed; a stored card has its own at the gateway. */
export function billTo({ billTo: given }: CardToken): { billTo?: Record<string, string> } {
  if (!given) return {}
  return { billTo: { ...(given.address ? { address: given.address } : {}), zip: given.zip } }
}

/** Stored-credential flags; none for a one-off with a card that is not kept. */
function processingOptions(use: {
  isFirst: boolean
  savesCard: boolean
  isStored: boolean
  isRenewal: boolean
}): Record<string, unknown> {
  const options = {
    ...(use.isFirst ? { isFirstRecurringPayment: true } : {}),
    ...(use.savesCard && !use.isFirst ? { isFirstSubsequentAuth: true } : {}),
    ...(use.isStored && !use.isRenewal ? { isStoredCredentials: true } : {}),
    ...(use.isRenewal ? { isSubsequentAuth: true } : {}),
  }
  return Object.keys(options).length > 0 ? { processingOptions: options } : {}
}

/** The gateway's customer ids hold 20 characters; a longer one of ours becomes a digest of that length. */
export function customerIdOf(id: string): string {
  if (id.length <= MAX_CUSTOMER_ID) return id
  return createHash('sha256').update(id).digest('base64url').slice(0, MAX_CUSTOMER_ID)
}
