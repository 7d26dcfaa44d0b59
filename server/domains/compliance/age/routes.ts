import { randomUUID } from 'node:crypto'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { AgeChecks, AgeResult } from '../../../ports/age/port.ts'
import { readBytes } from '../../../streams/read-bytes.ts'
import { confirmAge } from '../../identity/actions.ts'
import { findGate, findRegion } from '../data.ts'
import { approveAge, openCheck, recordResult, revokeAge } from './actions.ts'
import { findApproval, findPerson, listApprovals } from './data.ts'
import { ageVerifiedBy } from './rules.ts'

const MAX_RESULT_BYTES = 16 * 1024

export const ageHandlers = {
  async ageVerified({ context: { ageChecks }, db, viewer, client: { place }, cookies, now }) {
    const ageVisit = cookies.get('age_visit')
    const gate = await findGate(db, { place, userId: viewer?.id ?? null, ageVisit, ageChecks, now })
    const verifiedBy = ageVerifiedBy({
      restricted: gate.restricted,
      approvedByProvider: gate.approved,
      approvedByOperator: viewer?.ageApproved ?? false,
      confirmedOnAccount: viewer?.ageConfirmed ?? false,
      cookie: cookies.get('age') === 'yes',
    })
    return { ageVerified: verifiedBy !== null, verifiedBy }
  },

  async confirmAge({ db, viewer, cookies, now }) {
    if (viewer) await confirmAge(db, { userId: viewer.id, now })
    cookies.set('age', 'yes')
    return { success: true }
  },

  async location({ db, client }) {
    const { country, region } = client.place
    const listed = await findRegion(db, client.place)
    return { country, region, restricted: listed !== null, vpnHint: listed?.vpnHint ?? true }
  },

  async startAgeCheck({ context, db, viewer, cookies, now }) {
    const { ageChecks, publicUrl } = context
    if (!ageChecks) throw new AppError('age_check_unavailable')
    const visitId = cookies.get('age_visit') ?? randomUUID()
    cookies.set('age_visit', visitId)
    const { provider } = ageChecks
    const checkId = await openCheck(db, { userId: viewer?.id ?? null, visitId, provider, now })
    return { url: ageChecks.start({ checkId, returnUrl: `${publicUrl}/agecheck`, now }) }
  },

  async finishAgeCheck({ context, db, viewer, cookies, body, now }) {
    const text = Buffer.from(body.result, 'base64url').toString()
    const outcome = readResult(context.ageChecks, { body: text, signature: body.signature, now })
    const check = await recordResult(db, outcome, now)
    // Another person's result stays theirs: the refusal rolls back the record, and the provider's own message makes
    // it.
    const own = check.userId ? check.userId === viewer?.id : check.visitId === cookies.get('age_visit')
    if (!own) throw new AppError('age_result_invalid')
    return { result: check.result, expiresAt: check.expiresAt?.toISOString() ?? null }
  },

  async ageResult({ context, db, stream, header, now }) {
    const signature = header('x-age-signature') ?? ''
    const body = (await readBytes(stream, MAX_RESULT_BYTES)).toString()
    const outcome = readResult(context.ageChecks, { body, signature, now })
    await db.transaction().execute((transaction) => recordResult(transaction, outcome, now))
    return { success: true }
  },

  async personAge({ context: { ageChecks }, db, query, now }) {
    const person = await findPerson(db, query.person)
    if (!person) throw new AppError('user_not_found')
    const approval = person.age_approved_at ? await findApproval(db, person.id) : null
    const verifications = await listApprovals(db, { userId: person.id, ageChecks, now })
    return {
      userId: person.id,
      username: person.username,
      email: person.email,
      approved: person.age_approved_at && {
        at: person.age_approved_at.toISOString(),
        by: approval?.by ?? null,
        reason: approval?.reason ?? '',
      },
      verifications: verifications.map(({ provider, method, decided_at, expires_at }) => ({
        provider,
        method: method ?? '',
        decidedAt: (decided_at ?? now).toISOString(),
        expiresAt: (expires_at ?? now).toISOString(),
      })),
    }
  },

  async approveAge({ db, viewer, body, now }) {
    await approveAge(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },

  async revokeAge({ db, viewer, body, now }) {
    await revokeAge(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },
} satisfies Partial<Handlers>

function readResult(ageChecks: AgeChecks | null, message: Parameters<AgeChecks['readResult']>[0]): AgeResult {
  const outcome = ageChecks?.readResult(message)
  if (!outcome) throw new AppError('age_result_invalid')
  return outcome
}
