import { z } from 'zod'
import { codeOf } from '../../bank.ts'
import { COUNTRY_CODES } from '../../countries.ts'
import { route } from '../../route.ts'
import { Id, line, Moment } from '../../schemas.ts'

/** Where somebody is paid, as they see it again: never the whole number. */
const BankDetails = z.object({
  country: z.string(),
  lastFour: z.string(),
  changedAt: Moment,
  /** Until then no payout goes there, as the details have just changed; null when that is over. */
  heldUntil: Moment.nullable(),
})

/** Digits and letters, however they are grouped. */
const AccountCode = z.string().max(60).transform(codeOf)

export const bankDetailsRoutes = {
  bankDetails: route({
    method: 'GET',
    path: '/users/bankdetails',
    summary: 'Where the caller is paid, masked.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    query: z.object({ userId: Id.optional() }),
    output: z.object({ details: BankDetails.nullable() }),
  }),
  saveBankDetails: route({
    method: 'POST',
    path: '/users/bankdetails',
    summary:
      'Saves where the caller is paid: an IBAN where the country has them, routing and account number in the United States, else SWIFT code and account number. Payouts wait 3 days after that.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    reauthentication: 'recent',
    rateLimit: { points: 20, seconds: 3600 },
    body: z.object({
      userId: Id.optional(),
      accountHolder: line(70).min(2, 'Enter the name on the account.'),
      country: z.enum(COUNTRY_CODES as [string, ...string[]]),
      iban: AccountCode.optional(),
      routingNumber: AccountCode.optional(),
      swiftCode: AccountCode.optional(),
      accountNumber: AccountCode.optional(),
    }),
    output: BankDetails,
  }),
}
