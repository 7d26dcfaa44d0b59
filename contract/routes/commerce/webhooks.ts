import { route } from '../../route.ts'
import { Success } from '../../schemas.ts'

export const webhookRoutes = {
  gatewayWebhook: route({
    method: 'POST',
    path: '/payments/webhook',
    summary: 'Webhook of the card gateway: the raw body is signed in X-ANET-Signature.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    bytes: true,
    output: Success,
  }),
}
