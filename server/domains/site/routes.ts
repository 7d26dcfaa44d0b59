import { formatMoney } from '../../../contract/money.ts'
import { permissionsOf } from '../../../contract/permissions.ts'
import type { Handlers } from '../../handler.ts'
import { findDonee } from '../commerce/sellables/donations/actions.ts'
import { findMoneyWaiting } from '../commerce/waiting/data.ts'
import { findWaitingRequests } from '../messaging/custom-requests/data.ts'
import { howToVideoAddress } from './data.ts'
import { findDecisions, findPromotion } from './waiting/data.ts'
import { presentRequests } from './waiting/present.ts'
import { inOrder } from './waiting/rules.ts'

export const siteHandlers = {
  async waiting({ context, db, viewer, audience, now }) {
    const { id, role, isCreator } = viewer
    const parts = await Promise.all([
      findDecisions(db, { operatorId: id, permissions: permissionsOf(role), now }),
      findMoneyWaiting(db, id, now),
      findWaitingRequests(db, id, audience).then(presentRequests),
      isCreator && context.forum ? findPromotion(db, id, now) : [],
    ])
    return { items: inOrder(parts.flat()) }
  },

  async donations({ db, viewer }) {
    const donee = await findDonee(db)
    return { taken: donee !== null, own: donee !== null && donee === viewer?.id }
  },

  async config({ context }) {
    const { config, payments, ageChecks } = context
    const { scriptUrl, apiLoginID, clientKey } = payments.browser
    return {
      brand: {
        name: config.BRAND_NAME,
        operator: config.OPERATOR_NAME,
        email: config.OPERATOR_EMAIL,
        forumAccount: config.FORUM_ACCOUNT,
        address: config.OPERATOR_ADDRESS ?? null,
        socialUrl: config.OPERATOR_SOCIAL_URL ?? null,
        howToVideo: await howToVideoAddress(context),
      },
      payments: {
        scriptUrl,
        apiLoginID,
        clientKey,
        feePercent: config.PLATFORM_FEE_PERCENT,
        commission: config.REFERRAL_COMMISSION,
      },
      forum: { name: 'Reddit', available: context.forum !== null },
      sandbox: payments.sandbox
        ? {
            mail: '/sandbox/mail/',
            payments: '/sandbox/authorizenet/',
            age: ageChecks?.provider === 'sandbox' ? '/sandbox/age/' : null,
            forum: config.services.forum === 'sandbox' ? '/sandbox/reddit/' : null,
            makingSample: context.makingSampleData,
          }
        : null,
      features: { publishing: context.publishingOpen, ageCheck: context.ageChecks !== null },
      limits: {
        maxFileBytes: config.MAX_FILE_BYTES,
        lowestPrice: formatMoney(config.MIN_PRICE_CENTS),
      },
    }
  },
} satisfies Partial<Handlers>
