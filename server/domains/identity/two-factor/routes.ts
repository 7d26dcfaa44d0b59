import { isOperator } from '../../../../contract/permissions.ts'
import type { Handlers } from '../../../handler.ts'
import { replaceRecoveryCodes } from './actions.ts'
import { findFactors } from './data.ts'
import { addPasskey, removePasskey, startPasskey } from './passkeys/actions.ts'
import { confirmTotp, removeTotp, startTotp } from './totp/actions.ts'

export const secondFactorHandlers = {
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

  startTotp: ({ context, db, viewer, now }) =>
    startTotp(db, context, { userId: viewer.id, email: viewer.email, now }),

  async confirmTotp({ context, db, viewer, body, now }) {
    return { recoveryCodes: await confirmTotp(db, context, { userId: viewer.id, code: body.code, now }) }
  },

  async removeTotp({ db, viewer }) {
    await removeTotp(db, viewer.id)
    return { success: true }
  },

  async newRecoveryCodes({ context, db, viewer }) {
    return { recoveryCodes: await replaceRecoveryCodes(db, context, viewer.id) }
  },

  startPasskey: ({ context, db, viewer, now }) =>
    startPasskey(db, context, { userId: viewer.id, email: viewer.email, now }),

  async addPasskey({ context, db, viewer, body, now }) {
    return { recoveryCodes: await addPasskey(db, context, { ...body, userId: viewer.id, now }) }
  },

  async removePasskey({ db, viewer, body }) {
    await removePasskey(db, { userId: viewer.id, passkeyId: body.passkeyId })
    return { success: true }
  },
} satisfies Partial<Handlers>
