import { z } from 'zod'

const messages = z.object({
  resultCode: z.enum(['Ok', 'Error']),
  message: z.array(z.object({ code: z.string() })).default([]),
})

/** Cents of a number of dollars that may be left out. */
const dollars = z.coerce
  .number()
  .default(0)
  .transform((amount) => Math.round(amount * 100))

const profileCreated = z.object({
  messages,
  customerProfileId: z.string().optional(),
  customerPaymentProfileId: z.string().optional(),
  customerPaymentProfileIdList: z.array(z.string()).optional(),
  validationDirectResponse: z.string().optional(),
  validationDirectResponseList: z.array(z.string()).optional(),
})

/** Answer of `createTransactionRequest`; `transactionResponse` may be absent or empty. */
export const transactionAnswer = z.object({
  messages,
  transactionResponse: z
    .object({
      responseCode: z.string().optional(),
      transId: z.string().optional(),
      accountNumber: z.string().optional(),
      accountType: z.string().optional(),
      networkTransId: z.string().optional(),
      avsResultCode: z.string().optional(),
      cvvResultCode: z.string().optional(),
      messages: z.array(z.object({ code: z.string() })).optional(),
      errors: z.array(z.object({ errorCode: z.string() })).optional(),
    })
    .optional(),
  profileResponse: profileCreated.optional(),
})
export type TransactionAnswer = z.infer<typeof transactionAnswer>

/** Answer of every call that makes or changes a customer's profile or one of their cards. */
export const profileAnswer = profileCreated

/** Answer of `getCustomerProfileRequest`. */
export const customerAnswer = z.object({
  messages,
  profile: z
    .object({
      customerProfileId: z.string(),
      paymentProfiles: z
        .array(
          z.object({
            customerPaymentProfileId: z.string(),
            payment: z
              .object({
                creditCard: z
                  .object({
                    cardNumber: z.string(),
                    cardType: z.string().optional(),
                    expirationDate: z.string().optional(),
                  })
                  .optional(),
              })
              .optional(),
          }),
        )
        .default([]),
    })
    .optional(),
})

/** Answer of both transaction lists. */
export const listAnswer = z.object({
  messages,
  transactions: z
    .array(
      z.object({
        transId: z.string(),
        submitTimeUTC: z.string(),
        transactionStatus: z.string().optional(),
        invoiceNumber: z.string().optional(),
        settleAmount: z.coerce.number().optional(),
      }),
    )
    .default([]),
})

/** Answer of `getSettledBatchListRequest`. */
export const batchListAnswer = z.object({
  messages,
  batchList: z
    .array(
      z.object({
        batchId: z.string(),
        settlementTimeUTC: z.string().optional(),
        settlementState: z.string(),
        /** By brand of card; amounts are numbers of dollars. */
        statistics: z
          .array(
            z.object({
              chargeAmount: dollars,
              refundAmount: dollars,
              chargebackAmount: dollars,
            }),
          )
          .default([]),
      }),
    )
    .default([]),
})

/** Answer of `getTransactionDetailsRequest`; amounts are numbers of dollars. */
export const detailsAnswer = z.object({
  messages,
  transrefId: z.string().optional(),
  transaction: z
    .object({
      transId: z.string(),
      /** Of a refund its charge. */
      refTransId: z.string().optional(),
      submitTimeUTC: z.string(),
      transactionType: z.string(),
      transactionStatus: z.string(),
      responseCode: z.coerce.number().optional(),
      responseReasonCode: z.coerce.number().optional(),
      order: z.object({ invoiceNumber: z.string().optional() }).optional(),
      batch: z.object({ batchId: z.string() }).optional(),
      authAmount: z.coerce.number(),
      AVSResponse: z.string().optional(),
      cardCodeResponse: z.string().optional(),
      payment: z
        .object({
          creditCard: z.object({ cardNumber: z.string(), cardType: z.string().optional() }).optional(),
        })
        .optional(),
      profile: z
        .object({ customerProfileId: z.string(), customerPaymentProfileId: z.string().optional() })
        .optional(),
      networkTransId: z.string().optional(),
    })
    .optional(),
})
export type Details = NonNullable<z.infer<typeof detailsAnswer>['transaction']>
