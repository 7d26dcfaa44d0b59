import type { Card } from './cards.ts'
import type { Gateway } from './gateway.ts'

/** Customer and payment profiles as the books hold them. */
export type Customer = { merchantCustomerId: string; description: string; email: string }
export type ProfileRow = Customer & { id: number }
export type PaymentProfileRow = Card & {
  id: number
  profileId: number
  customerType: string
  billTo: string
  networkTransId: string
  isDefault: number
}

/** The largest number of cards of one customer (E00042). */
export const MAX_PAYMENT_PROFILES = 10

/** A customer that these three fields would duplicate (E00039). */
export function findDuplicate(gateway: Gateway, customer: Customer): ProfileRow | undefined {
  return gateway.db
    .prepare('select * from profiles where merchantCustomerId = ? and description = ? and email = ?')
    .get(customer.merchantCustomerId, customer.description, customer.email) as ProfileRow | undefined
}

/** By id, else by the merchant's own id, else by email; the newest of several. */
export function findProfile(
  gateway: Gateway,
  by: { customerProfileId: string; merchantCustomerId: string; email: string },
): ProfileRow | undefined {
  const column = by.customerProfileId ? 'id' : by.merchantCustomerId ? 'merchantCustomerId' : 'email'
  const value = by.customerProfileId ? Number(by.customerProfileId) : by.merchantCustomerId || by.email
  return gateway.db.prepare(`select * from profiles where ${column} = ? order by id desc`).get(value) as
    | ProfileRow
    | undefined
}

export function insertProfile(gateway: Gateway, customer: Customer): number {
  const { lastInsertRowid } = gateway.db
    .prepare('insert into profiles (merchantCustomerId, description, email) values (?, ?, ?)')
    .run(customer.merchantCustomerId, customer.description, customer.email)
  return Number(lastInsertRowid)
}

export function paymentProfilesOf(gateway: Gateway, profileId: number): PaymentProfileRow[] {
  return gateway.db
    .prepare('select * from paymentProfiles where profileId = ? order by id')
    .all(profileId) as PaymentProfileRow[]
}

/** Stores a card with a customer; says so when the same card with the same address is there, or no more fit. */
export function insertPaymentProfile(
  gateway: Gateway,
  profileId: number,
  card: Card,
  rest: { customerType: string; billTo: string; networkTransId: string; isDefault: boolean },
): { kind: 'stored' | 'duplicate'; id: number } | { kind: 'full' } {
  const existing = paymentProfilesOf(gateway, profileId)
  const duplicate = existing.find(
    (other) => other.cardDigest === card.cardDigest && other.billTo === rest.billTo,
  )
  if (duplicate) return { kind: 'duplicate', id: duplicate.id }
  if (existing.length >= MAX_PAYMENT_PROFILES) return { kind: 'full' }
  if (rest.isDefault)
    gateway.db.prepare('update paymentProfiles set isDefault = 0 where profileId = ?').run(profileId)
  const { lastInsertRowid } = gateway.db
    .prepare(
      `insert into paymentProfiles (profileId, brand, lastFour, expires, cardDigest, cardEffect, customerType, billTo, networkTransId, isDefault)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      profileId,
      card.brand,
      card.lastFour,
      card.expires,
      card.cardDigest,
      card.cardEffect,
      rest.customerType,
      rest.billTo,
      rest.networkTransId,
      rest.isDefault ? 1 : 0,
    )
  return { kind: 'stored', id: Number(lastInsertRowid) }
}

/** Puts a card with its address in place of the one that is stored under an id. */
export function replaceCard(gateway: Gateway, id: number, card: Card, billTo: string): void {
  gateway.db
    .prepare(
      'update paymentProfiles set brand = ?, lastFour = ?, expires = ?, cardDigest = ?, cardEffect = ?, billTo = ? where id = ?',
    )
    .run(card.brand, card.lastFour, card.expires, card.cardDigest, card.cardEffect, billTo, id)
}
