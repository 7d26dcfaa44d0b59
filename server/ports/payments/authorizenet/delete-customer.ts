import type { Payments } from '../port.ts'
import { customerAnswer, profileAnswer } from './answers.ts'
import { customerIdOf } from './charge-request.ts'
import { type Account, send } from './client.ts'

const NOT_FOUND = 'E00040'
/** More profiles than one customer ever has; a change of email address makes another. */
const MAX_PROFILES = 20

type Deleted = Awaited<ReturnType<Payments['deleteCustomer']>>

/** Deletes every profile of a customer with all its cards, until the gateway finds none. */
export async function deleteCustomer(account: Account, id: string): Promise<Deleted> {
  for (let count = 0; count < MAX_PROFILES; count += 1) {
    const found = await findProfile(account, customerIdOf(id))
    if (typeof found !== 'string') return found
    const deleted = await deleteProfile(account, found)
    if (deleted.kind !== 'deleted') return deleted
  }
  return { kind: 'unavailable', detail: 'too_many_profiles' }
}

const deleteProfile = (account: Account, customerProfileId: string) =>
  sendDeletion(account, 'deleteCustomerProfileRequest', { customerProfileId })

/** Deletes a profile or a card; what is not there anymore counts as deleted. */
export async function sendDeletion(
  account: Account,
  name: 'deleteCustomerProfileRequest' | 'deleteCustomerPaymentProfileRequest',
  which: Record<string, string>,
): Promise<Deleted> {
  const answer = await send(account, name, which)
  if (answer.kind !== 'answered') return { kind: 'unavailable', detail: answer.detail }
  const parsed = profileAnswer.safeParse(answer.body)
  if (!parsed.success) return { kind: 'unavailable', detail: 'unexpected_answer' }
  const { resultCode, message } = parsed.data.messages
  const code = message[0]?.code ?? ''
  return resultCode === 'Ok' || code === NOT_FOUND
    ? { kind: 'deleted' }
    : { kind: 'unavailable', detail: code }
}

/** The profile that the gateway holds under our own id of the customer; `deleted` when there is none. */
async function findProfile(account: Account, merchantCustomerId: string): Promise<string | Deleted> {
  const answer = await send(account, 'getCustomerProfileRequest', { merchantCustomerId })
  if (answer.kind !== 'answered') return { kind: 'unavailable', detail: answer.detail }
  const parsed = customerAnswer.safeParse(answer.body)
  if (!parsed.success) return { kind: 'unavailable', detail: 'unexpected_answer' }
  const { messages, profile } = parsed.data
  if (profile) return profile.customerProfileId
  const code = messages.message[0]?.code ?? ''
  return code === NOT_FOUND ? { kind: 'deleted' } : { kind: 'unavailable', detail: code }
}
