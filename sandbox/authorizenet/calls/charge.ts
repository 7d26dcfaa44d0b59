import { createHash, randomBytes } from 'node:crypto'
import { isExpired, type PresentedCard, takePayment } from '../cards.ts'
import {
  addressResult,
  type Effect,
  effectOfAmount,
  effectOfCardCode,
  effectOfZip,
  effects,
  isEffectName,
} from '../effects.ts'
import { findTransaction, type Gateway, type TransactionRow } from '../gateway.ts'
import { notice } from '../webhooks.ts'
import { ApiError, at, centsOf, listAt, textAt } from '../wire.ts'
import type { Call, Reply } from './call.ts'
import { profileWithCharge } from './profile-from-transaction.ts'
import { notTaken, transactionAnswer } from './transaction-response.ts'

const DEFAULT_DUPLICATE_WINDOW_SECONDS = 120

type Decision = { responseCode: 1 | 2 | 3 | 4; reasonCode: number }
type Source = PresentedCard & {
  stored: { profileId: number; paymentProfileId: number; billTo: string } | null
}

/** `authCaptureTransaction` and `authOnlyTransaction`: charges a token, a card or a stored card. */
export function charge(
  gateway: Gateway,
  call: Call,
  type: 'authCaptureTransaction' | 'authOnlyTransaction',
): Reply {
  const wanted = at(call.request, 'transactionRequest')
  const amountCents = centsOf(textAt(wanted, 'amount'))
  if (amountCents === null) return { body: notTaken(5) }
  if (!['', 'USD'].includes(textAt(wanted, 'currencyCode'))) return { body: notTaken(39) }
  const source = storedCard(gateway, wanted) ?? presentedCard(gateway, wanted)
  if (!source) return { body: notTaken(33) }
  const effect = call.fault ?? triggeredEffect(source, amountCents)
  if (effect?.kind === 'refusal') throw new ApiError(effect.code, 'The sandbox was asked to refuse this.')
  const fingerprint = fingerprintOf(source, wanted, amountCents)
  if (isDuplicate(gateway, fingerprint, duplicateWindow(wanted))) return { body: notTaken(11) }

  const decision = decide(gateway, source, wanted, effect)
  const row = record(gateway, { call, type, wanted, source, amountCents, fingerprint, decision, effect })
  if (row.responseCode === 4) notice(gateway, 'fraud.held', row)
  else if (row.responseCode === 1)
    notice(gateway, type === 'authOnlyTransaction' ? 'authorization.created' : 'authcapture.created', row)
  return {
    body: {
      ...transactionAnswer({ ...decision, transId: String(row.id), row }),
      ...(at(wanted, 'profile', 'createProfile') !== undefined &&
      textAt(wanted, 'profile', 'createProfile') !== 'false' &&
      decision.responseCode === 1
        ? { profileResponse: profileWithCharge(gateway, row, { fails: effect?.kind === 'profileFailure' }) }
        : {}),
    },
    ...(effect?.kind === 'connection' ? { connection: effect } : {}),
    ...(effect?.kind === 'delay' ? { delayMilliseconds: effect.milliseconds } : {}),
  }
}

function presentedCard(gateway: Gateway, wanted: unknown): Source | null {
  const card = takePayment(gateway, at(wanted, 'payment'))
  return card && { ...card, stored: null }
}

function storedCard(gateway: Gateway, wanted: unknown): Source | null {
  const profileId = textAt(wanted, 'profile', 'customerProfileId')
  if (!profileId) return null
  const paymentProfileId = textAt(wanted, 'profile', 'paymentProfile', 'paymentProfileId')
  const found = gateway.db
    .prepare('select * from paymentProfiles where id = ? and profileId = ?')
    .get(Number(paymentProfileId), Number(profileId)) as (PresentedCard & { billTo: string }) | undefined
  if (!found) throw new ApiError('E00040', 'The record cannot be found.')
  return {
    ...found,
    codeEffect: effectOfCardCode(textAt(wanted, 'profile', 'paymentProfile', 'cardCode')),
    cardCodeResult: 'P',
    zip: textAt(JSON.parse(found.billTo), 'zip'),
    fullName: '',
    stored: {
      profileId: Number(profileId),
      paymentProfileId: Number(paymentProfileId),
      billTo: found.billTo,
    },
  }
}

/** The first of card code, card number and amount that asks for an effect. */
function triggeredEffect(source: Source, amountCents: number): Effect | null {
  const name = source.codeEffect ?? source.cardEffect ?? effectOfAmount(amountCents)
  return name !== null && isEffectName(name) ? effects[name] : null
}

function decide(gateway: Gateway, source: Source, wanted: unknown, effect: Effect | null): Decision {
  if (effect?.kind === 'decision') return effect
  if (effect?.kind === 'storedDecline' && source.stored) return effects.declined
  if (isExpired(source, gateway.now())) return effects.expiredCard
  return effectOfZip(zipOf(source, wanted)) ?? { responseCode: 1, reasonCode: 1 }
}

const zipOf = (source: Source, wanted: unknown): string => textAt(wanted, 'billTo', 'zip') || source.zip

/** The fields that make two requests duplicates. */
function fingerprintOf(source: Source, wanted: unknown, amountCents: number): string {
  const fields = [
    source.cardDigest,
    source.expires,
    textAt(wanted, 'transactionType'),
    amountCents,
    textAt(wanted, 'order', 'invoiceNumber'),
    textAt(wanted, 'poNumber'),
    textAt(wanted, 'customer', 'id'),
    ...['firstName', 'lastName', 'company', 'address', 'city', 'state', 'zip', 'country'].map((name) =>
      textAt(wanted, 'billTo', name),
    ),
  ]
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
}

function duplicateWindow(wanted: unknown): number {
  const setting = listAt(wanted, 'transactionSettings', 'setting').find(
    (item) => textAt(item, 'settingName') === 'duplicateWindow',
  )
  const seconds =
    setting === undefined ? DEFAULT_DUPLICATE_WINDOW_SECONDS : Number(textAt(setting, 'settingValue'))
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= 28_800
    ? seconds
    : DEFAULT_DUPLICATE_WINDOW_SECONDS
}

function isDuplicate(gateway: Gateway, fingerprint: string, windowSeconds: number): boolean {
  const since = gateway.now().getTime() - windowSeconds * 1000
  return (
    gateway.db
      .prepare(
        'select 1 from transactions where fingerprint = ? and submittedAt > ? and responseCode in (1, 4) limit 1',
      )
      .get(fingerprint, since) !== undefined
  )
}

/** Status of a new transaction by its kind and its decision. */
function statusOf(type: TransactionRow['type'], decision: Decision): string {
  if (decision.responseCode === 2) return 'declined'
  if (decision.responseCode === 3) return 'generalError'
  if (decision.responseCode === 4) return 'FDSAuthorizedPendingReview'
  return type === 'authOnlyTransaction' ? 'authorizedPendingCapture' : 'capturedPendingSettlement'
}

function record(
  gateway: Gateway,
  taken: {
    call: Call
    type: 'authCaptureTransaction' | 'authOnlyTransaction'
    wanted: unknown
    source: Source
    amountCents: number
    fingerprint: string
    decision: Decision
    effect: Effect | null
  },
): TransactionRow {
  const { wanted, source, decision, effect } = taken
  const authorized = decision.responseCode === 1 || decision.responseCode === 4
  const submittedAt = gateway.now().getTime()
  const hiddenSeconds = effect?.kind === 'connection' ? (effect.visibleAfterSeconds ?? 0) : 0
  const billTo = at(wanted, 'billTo')
  return insertTransaction(gateway, {
    type: taken.type,
    status: statusOf(taken.type, decision),
    amountCents: taken.amountCents,
    responseCode: decision.responseCode,
    reasonCode: decision.reasonCode,
    authCode: authorized ? randomBytes(3).toString('hex').toUpperCase() : '',
    addressResult: addressResult(zipOf(source, wanted)),
    cardCodeResult: decision.reasonCode === 44 ? 'N' : source.cardCodeResult,
    brand: source.brand,
    lastFour: source.lastFour,
    expires: source.expires,
    cardDigest: source.cardDigest,
    cardEffect: source.cardEffect,
    billTo:
      billTo === undefined
        ? (source.stored?.billTo ?? JSON.stringify(source.zip ? { zip: source.zip } : {}))
        : JSON.stringify(billTo),
    invoiceNumber: textAt(wanted, 'order', 'invoiceNumber'),
    description: textAt(wanted, 'order', 'description'),
    refId: taken.call.refId,
    customerId: textAt(wanted, 'customer', 'id'),
    customerEmail: textAt(wanted, 'customer', 'email'),
    recurring: listAt(wanted, 'transactionSettings', 'setting').some(
      (item) => textAt(item, 'settingName') === 'recurringBilling' && textAt(item, 'settingValue') === 'true',
    )
      ? 1
      : 0,
    details: JSON.stringify({
      ...(at(wanted, 'processingOptions') as object | undefined),
      ...(at(wanted, 'subsequentAuthInformation') as object | undefined),
      customerIP: textAt(wanted, 'customerIP'),
    }),
    refTransId: null,
    networkTransId: authorized ? randomBytes(8).toString('hex').toUpperCase() : '',
    profileId: source.stored?.profileId ?? null,
    paymentProfileId: source.stored?.paymentProfileId ?? null,
    fingerprint: taken.fingerprint,
    submittedAt,
    visibleAt: submittedAt + hiddenSeconds * 1000,
    batchId: null,
    chargedBackAt: null,
    chargebackBatchId: null,
  })
}

/** Adds a transaction; its number is larger than every earlier one. */
export function insertTransaction(gateway: Gateway, row: Omit<TransactionRow, 'id'>): TransactionRow {
  const names = Object.keys(row) as (keyof typeof row)[]
  const { lastInsertRowid } = gateway.db
    .prepare(`insert into transactions (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
    .run(...names.map((name) => row[name]))
  const inserted = findTransaction(gateway, String(lastInsertRowid))
  if (!inserted) throw new Error('a transaction that was just written is not there')
  return inserted
}
