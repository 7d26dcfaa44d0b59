import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  BY_OTHERS,
  type CountedMail,
  HOUR_MS,
  isByOthers,
  isUnlimited,
  type MailKind,
  mailableAt,
  mayMail,
  type SentMail,
} from './rules.ts'

const OTHERS: MailKind[] = [...BY_OTHERS]
const OWN: MailKind[] = ['password.changed', 'factor.added', 'deletion.requested']
const mail = fc.oneof(
  fc.record({ kind: fc.constantFrom(...OTHERS), byOthers: fc.constant(true) }),
  fc.record({ kind: fc.constantFrom(...OWN), byOthers: fc.boolean() }),
)

/** The most of these emails that an address gets within an hour. */
function sentOf(mails: readonly CountedMail[]): CountedMail[] {
  const sent: CountedMail[] = []
  for (const next of mails) if (mayMail(sent, next)) sent.push(next)
  return sent
}

test('an address gets at most three mails an hour because of others, whatever they ask for in whatever order', () => {
  fc.assert(
    fc.property(fc.array(mail, { maxLength: 40 }), (mails) => {
      const sent = sentOf(mails)
      expect(sent.filter(({ byOthers }) => byOthers).length).toBeLessThanOrEqual(3)
      for (const kind of OWN)
        expect(sent.filter((one) => one.kind === kind && !one.byOthers).length).toBeLessThanOrEqual(3)
    }),
  )
})

test('whatever else was asked for, the first link for a new password is sent', () => {
  const rest = mail.filter(({ kind }) => kind !== 'password.reset' && kind !== 'email.confirm')
  fc.assert(
    fc.property(fc.array(rest, { maxLength: 40 }), (mails) => {
      expect(mayMail(sentOf(mails), { kind: 'password.reset', byOthers: true })).toBe(true)
    }),
  )
})

test('however many links for a new password were asked for, the first notice is sent', () => {
  const notices = OTHERS.filter((kind) => kind !== 'password.reset' && kind !== 'email.confirm')
  const resets = fc.record({ kind: fc.constant<MailKind>('password.reset'), byOthers: fc.constant(true) })
  fc.assert(
    fc.property(fc.array(resets, { maxLength: 40 }), fc.constantFrom(...notices), (mails, kind) => {
      expect(mayMail(sentOf(mails), { kind, byOthers: true })).toBe(true)
    }),
  )
})

test('what others cause does not use up what the own account causes', () => {
  const others = sentOf(Array(10).fill({ kind: 'password.reset', byOthers: true }))
  expect(others).toHaveLength(2)
  expect(mayMail(others, { kind: 'password.changed', byOthers: false })).toBe(true)
})

test('everything to an address that nobody confirmed counts as by others', () => {
  for (const kind of [...OTHERS, ...OWN]) expect(isByOthers(kind, { confirmed: false })).toBe(true)
  for (const kind of OWN) expect(isByOthers(kind, { confirmed: true })).toBe(false)
})

test('what may not go now goes when it first may, within the hour', () => {
  const minute = fc.integer({ min: 0, max: 59 })
  const now = new Date('2026-06-01T12:00:00Z')
  fc.assert(
    fc.property(fc.array(fc.tuple(mail, minute), { maxLength: 20 }), mail, (mails, next) => {
      const sent: SentMail[] = mails.map(([one, minutes]) => ({
        ...one,
        sentAt: new Date(now.getTime() - minutes * 60_000),
      }))
      const at = mailableAt(sent, next, now)
      const mayAt = (moment: number) =>
        mayMail(
          sent.filter(({ sentAt }) => sentAt.getTime() > moment - HOUR_MS),
          next,
        )
      expect(mayAt(at.getTime())).toBe(true)
      for (let moment = now.getTime(); moment < at.getTime(); moment += 60_000)
        expect(mayAt(moment)).toBe(false)
    }),
  )
})

test('what tells of one’s own money always goes, to a confirmed address; the end of free time waits', () => {
  const ended = (over: { free: boolean; creator: null } | null) => ({
    ...{ kind: 'subscription.ended' as const, person: crypto.randomUUID() },
    data: { title: 'All', unpaid: false, price: false, noCard: false, over },
  })
  expect(isUnlimited(ended(null), { confirmed: true })).toBe(true)
  expect(isUnlimited(ended({ free: false, creator: null }), { confirmed: true })).toBe(true)
  expect(isUnlimited(ended({ free: true, creator: null }), { confirmed: true })).toBe(false)
  expect(isUnlimited(ended(null), { confirmed: false })).toBe(false)
})
