import { formatMoney } from '../../../contract/money.ts'
import type { Handlers } from '../../handler.ts'
import { findDonee } from '../commerce/sellables/donations/actions.ts'
import { howToVideoAddress } from './data.ts'
import { waitingHandlers } from './waiting/routes.ts'

export const siteHandlers = {
  ...waitingHandlers,

  async donations({ db }) {
    return { taken: (await findDonee(db)) !== null }
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
