import { randomBytes } from 'node:crypto'
import { readCard, tokenDigest } from '../cards.ts'
import type { Gateway } from '../gateway.ts'
import { at, ok } from '../wire.ts'
import type { Call, Reply } from './call.ts'

const TOKEN_LIFETIME_MS = 15 * 60 * 1000

/** `securePaymentContainerRequest`: a single-use token for a card, good for 15 minutes. */
export function createToken(gateway: Gateway, call: Call): Reply {
  const card = readCard(gateway, at(call.request, 'data', 'token'))
  const dataValue = randomBytes(48).toString('base64')
  gateway.db
    .prepare(
      `insert into tokens (digest, brand, lastFour, expires, cardDigest, cardEffect, codeEffect, cardCodeResult, zip, fullName, expiresAt)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      tokenDigest(dataValue),
      card.brand,
      card.lastFour,
      card.expires,
      card.cardDigest,
      card.cardEffect,
      card.codeEffect,
      card.cardCodeResult,
      card.zip,
      card.fullName,
      gateway.now().getTime() + TOKEN_LIFETIME_MS,
    )
  return {
    body: { opaqueData: { dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT', dataValue }, messages: ok() },
  }
}
