import { massFailures } from '../../../../../contract/errors/messaging.ts'
import type { Templates } from '../rules.ts'

/** Leads to a custom request in the conversation with its other person. */
const requestAction = (personId: string, messageId: string | null) => ({
  label: 'See the request',
  path: `/dashboard/chat/${personId}${messageId === null ? '' : `?message=${messageId}`}`,
})

/** Emails about messages from others. */
export const conversationTemplates = {
  'message.received': ({ data }) => ({
    subject: `New message from ${data.from}`,
    paragraphs: [`${data.from} sent you a message.`],
    action: { label: 'Read the message', path: `/dashboard/chat/${data.senderId}` },
  }),
  'custom.changed': ({ data: { state, from, fromId, messageId, amount, before } }) => ({
    subject: {
      requested: `New custom request from ${from}`,
      accepted: before
        ? `${from} changed the ${before === amount ? 'delivery time' : 'price'} of your custom request`
        : `${from} accepted your custom request`,
      declined: `${from} declined your custom request`,
      delivered: `${from} delivered your custom request`,
    }[state],
    paragraphs: {
      requested: [`${from} sent you a custom request. Accept it with a price, or decline it.`],
      accepted: [
        before
          ? before === amount
            ? `${from} changed the delivery time of your custom request. It still costs ${amount}.`
            : `${from} changed the price of your custom request from ${before} to ${amount}. Pay to get started.`
          : `${from} accepted your custom request for ${amount}. Pay to get started.`,
      ],
      declined: [`${from} declined your custom request. You weren’t charged.`],
      delivered: [`${from} delivered your custom request.`],
    }[state],
    action: requestAction(fromId, messageId),
  }),
  'custom.sold': ({ data: { state, from, fromId, messageId, amount } }) => ({
    subject:
      state === 'paid' ? `${from} paid for a custom request` : `Your custom request from ${from} is overdue`,
    paragraphs: [
      state === 'paid'
        ? `${from} paid ${amount} for a custom request. Deliver it in your chat with them.`
        : `You didn’t deliver this custom request in time, so we’re refunding ${amount} to ${from}.`,
    ],
    action: requestAction(fromId, messageId),
  }),
  'mass-message.changed': ({ data }) => ({
    subject: data.sent
      ? 'Your message was sent without some media'
      : data.stopped
        ? 'Your mass message was stopped'
        : 'Your mass message wasn’t sent',
    paragraphs: [
      data.sent
        ? `${data.leftOut === 1 ? '1 item is' : `${data.leftOut} items are`} no longer available, so your scheduled message was sent without ${data.leftOut === 1 ? 'it' : 'them'}.`
        : [
            data.why ? massFailures[data.why] : 'Something had changed since you scheduled it.',
            data.stopped
              ? 'It goes to no one else. You can unsend it for those who have it.'
              : 'You can change it and send it again.',
          ].join(' '),
    ],
    action: { label: 'See your mass messages', path: '/dashboard/mass-messages' },
  }),
} satisfies Templates
