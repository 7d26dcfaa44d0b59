import { routes } from '../../contract/index.ts'
import type { Api } from './api.ts'

type Asked = { transactionId: string; amount: string; reason?: string }

/** The refund that an operator asks for on a payment's page, which shows what is left of it. */
export async function askedOf(
  operator: Api,
  { transactionId, amount, reason = 'The buyer asked for it' }: Asked,
) {
  const { refundable: left } = await operator.call(routes.payment, { params: { transactionId } })
  return { transactionId, amount, left, reason }
}

/** An operator gives back so much of what the page of a payment shows as left. */
export async function refundPayment(operator: Api, asked: Asked) {
  const body = await askedOf(operator, asked)
  return operator.call(routes.refund, { body }, { idempotencyKey: crypto.randomUUID() })
}
