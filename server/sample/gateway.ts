import type { SandboxAddresses } from '../context.ts'
import { authorizenet } from '../ports/payments/authorizenet/adapter.ts'
import type { CardToken, Payments } from '../ports/payments/port.ts'

/** A test card as its holder types it; `expirationDate` is MMYY. */
export type TypedCard = { cardNumber: string; expirationDate: string; cardCode: string }

/** The sandbox gateway as it answers at moments of the past. */
export type PastGateway = {
  at(moment: Date): Payments
  /** Makes a card's token, as the buyer's browser does. */
  token(card: TypedCard, moment: Date): Promise<CardToken>
}

/** The sandbox gateway of this account, of which the sample data's year of charges is asked. */
export function pastGateway(account: NonNullable<SandboxAddresses['authorizenet']>): PastGateway {
  const addressAt = (moment: Date) => {
    const address = new URL(account.apiUrl)
    address.searchParams.set('at', moment.toISOString())
    return address.href
  }
  return {
    at: (moment) => authorizenet({ ...account, apiUrl: addressAt(moment), sandbox: true }),
    async token({ cardNumber, expirationDate, cardCode }, moment) {
      const merchantAuthentication = { name: account.apiLoginID, clientKey: account.clientKey }
      const response = await fetch(addressAt(moment), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          securePaymentContainerRequest: {
            merchantAuthentication,
            data: {
              type: 'TOKEN',
              id: crypto.randomUUID(),
              token: { cardNumber, expirationDate, cardCode },
            },
          },
        }),
      })
      const { opaqueData } = (await response.json()) as { opaqueData?: CardToken }
      if (!opaqueData) throw new Error('the sandbox gateway made no token of a sample card')
      return { ...opaqueData, billTo: { zip: '80302' } }
    },
  }
}
