import { isOperator } from '../../../../contract/permissions.ts'
import type { Handlers } from '../../../handler.ts'
import {
  answerChallenge,
  closeChallenge,
  markProven,
  openChallenge,
  requireReauthentication,
  startChallenge,
} from '../reauthentication/actions.ts'
import { factorAdded, lockAccount, removePasskey, removeTotp, replaceRecoveryCodes } from './actions.ts'
import { findFactors } from './data.ts'
import { passkeyCreation, storePasskey } from './passkeys/actions.ts'
import { relyingParty } from './passkeys/rules.ts'
import { confirmTotp, startTotp } from './totp/actions.ts'

export const secondFactorHandlers = {
  startReauthentication: ({ context, db, viewer, now }) =>
    startChallenge(db, context, { purpose: 'reauthenticate', userId: viewer.id, now }),

  async reauthenticate({ context, viewer, body, now }) {
    const { challengeId, ...factor } = body
    await answerChallenge(
      context,
      { challengeId, purpose: 'reauthenticate', userId: viewer.id, factor, now },
      (db) => markProven(db, { sessionId: viewer.sessionId, now }),
    )
    return { success: true }
  },

  async secondFactor({ context, db, viewer }) {
    const { totpSince, passkeys, recoveryCodesLeft } = await findFactors(db, viewer.id)
    return {
      app: totpSince ? { addedAt: totpSince.toISOString() } : null,
      passkeys: passkeys.map((passkey) => ({
        _id: passkey.id,
        name: passkey.name,
        addedAt: passkey.created_at.toISOString(),
        lastUsedAt: passkey.last_used_at?.toISOString() ?? null,
      })),
      recoveryCodesLeft,
      required: context.secondFactorRequired && isOperator(viewer),
    }
  },

  async startTotp({ context, db, viewer, now }) {
    await requireReauthentication(db, { sessionId: viewer.sessionId, now })
    return startTotp(db, context, { userId: viewer.id, email: viewer.email, now })
  },

  async confirmTotp({ context, db, viewer, body, now }) {
    return { recoveryCodes: await confirmTotp(db, context, { userId: viewer.id, code: body.code, now }) }
  },

  async removeTotp({ context, db, viewer, now }) {
    await requireReauthentication(db, { sessionId: viewer.sessionId, now })
    await removeTotp(db, context, viewer.id)
    return { success: true }
  },

  async newRecoveryCodes({ context, db, viewer, now }) {
    await requireReauthentication(db, { sessionId: viewer.sessionId, now })
    return { recoveryCodes: await replaceRecoveryCodes(db, context, viewer.id) }
  },

  async startPasskey({ context, db, viewer, now }) {
    await requireReauthentication(db, { sessionId: viewer.sessionId, now })
    const asked = await openChallenge(db, { purpose: 'add-passkey', userId: viewer.id, now })
    const options = await passkeyCreation(db, {
      userId: viewer.id,
      email: viewer.email,
      challenge: asked.passkeyChallenge,
      site: relyingParty(context.publicUrl, context.config.BRAND_NAME),
    })
    return { challengeId: asked.id, options }
  },

  async addPasskey({ context, db, viewer, body, now }) {
    const { challengeId, name, passkey } = body
    const userId = viewer.id
    await lockAccount(db, userId)
    const challenge = await closeChallenge(db, { id: challengeId, purpose: 'add-passkey', userId, now })
    const site = relyingParty(context.publicUrl, context.config.BRAND_NAME)
    await storePasskey(db, { userId, name, passkey, challenge, site, now })
    return { recoveryCodes: await factorAdded(db, context, { userId, what: `The passkey “${name}”` }) }
  },

  async removePasskey({ context, db, viewer, body, now }) {
    await requireReauthentication(db, { sessionId: viewer.sessionId, now })
    await removePasskey(db, context, { userId: viewer.id, passkeyId: body.passkeyId })
    return { success: true }
  },
} satisfies Partial<Handlers>
