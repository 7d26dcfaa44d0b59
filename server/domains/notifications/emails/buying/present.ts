import { counted, type EmailContent, type MessageOf, readableDate, type Templates } from '../rules.ts'

/** `month`, or `3 months`: after which time something is charged again. */
const everyMonths = (months: number) => (months === 1 ? 'month' : `${months} months`)
/** What a price is for, where that is more than one month. */
const forMonths = (months: number) => (months === 1 ? '' : ` for ${months} months`)
const BILLING = { label: 'See your billing', path: '/dashboard/billing' }

/** A lower price, a higher one that is asked for, or one that was withdrawn. */
function priceChanged(data: MessageOf<'subscription.price-changed'>['data']): EmailContent {
  const { state, title, creator, before } = data
  const [amount, on] = [`${data.amount}${forMonths(data.months)}`, readableDate(data.on)]
  if (state === 'lower')
    return {
      subject: `“${title}” costs less from ${on}`,
      paragraphs: [
        `Your subscription “${title}” by ${creator} renews for ${amount} from ${on}, instead of ${before}. You don’t need to do anything.`,
      ],
      action: BILLING,
    }
  if (state === 'kept')
    return {
      subject: `“${title}” stays at ${data.amount}`,
      paragraphs: [
        `${creator} withdrew the price increase to ${before} for your subscription “${title}”.`,
        `It continues, and renews for ${amount}. You don’t need to do anything.`,
      ],
      action: BILLING,
    }
  if (state === 'ending')
    return {
      subject: `“${title}” ends ${on}`,
      paragraphs: [
        `${creator} withdrew the price increase to ${before} for your subscription “${title}”. You had declined it, so your subscription ends on ${on}, and you won’t be charged again.`,
        `You can resume it in your billing until then. It would renew for ${amount}.`,
      ],
      action: BILLING,
    }
  return {
    subject:
      state === 'asked'
        ? `“${title}” will cost more. Do you agree?`
        : `“${title}” ends ${on} unless you agree to its new price`,
    paragraphs: [
      `${creator} wants to raise the price of your subscription “${title}” from ${before} to ${amount}. You’d first be charged the new price on ${on}.`,
      'Agree or decline in your billing. Until then you keep your price, and nothing changes.',
      `If you don’t agree, your subscription ends on ${on}, and you won’t be charged the new price.`,
    ],
    action: { label: 'Agree or decline', path: '/dashboard/billing' },
  }
}

/** A period began that no card could be charged for. */
function lacksCard({ title, amount }: MessageOf<'subscription.declined'>['data']): EmailContent {
  return {
    subject: `Add a card to keep “${title}”`,
    paragraphs: [
      `We had no card to charge ${amount} for your subscription “${title}”. You have access for 3 days after the end of the paid period, and the subscription ends after 14 days.`,
      'To keep it, add a card in your billing. We’ll charge it right away.',
    ],
    action: { ...BILLING, label: 'Add a card' },
  }
}

/** What people are told of what they buy. */
export const buyingTemplates = {
  'purchase.receipt': ({ data: { title, amount, seller, items, reduced, card, on, renews } }) => ({
    subject: `Your receipt for “${title}”`,
    paragraphs: [
      `${title}${items > 1 ? `, ${counted(items, 'item', 'items')}` : ''}, from ${seller}: ${amount}`,
      ...(reduced
        ? [
            `The full price is ${reduced.fullPrice}. You already had ${counted(reduced.owned, 'item', 'items')}.`,
          ]
        : []),
      `Total: ${amount}, charged to ${card} on ${readableDate(on)}.`,
      renews
        ? `It renews ${readableDate(renews.on)} for ${renews.amount}, and every ${everyMonths(renews.months)} after that until you cancel.`
        : 'This is a one-time charge.',
    ],
    action: BILLING,
  }),
  'payment.refunded': ({ data }) => ({
    subject: `Your refund of ${data.amount}`,
    paragraphs: [
      `We refunded ${data.amount} of your payment for “${data.title}”. Your card statement shows it within 10 days.`,
      ...(data.access === 'ended' ? ['You no longer have access to it.'] : []),
      ...(data.access === 'kept' ? ['You keep access to it.'] : []),
    ],
    action: { label: 'See your payments', path: '/dashboard/earnings' },
  }),
  'subscription.renewing': ({ data: { noCard, title, amount, ...data } }) => {
    const [on, term] = [readableDate(data.on), forMonths(data.months)]
    return noCard
      ? {
          subject: `Add a card by ${on} to keep “${title}”`,
          paragraphs: [
            `Your subscription “${title}” is due to renew ${on} for ${amount}${term}, but its card was removed.`,
            `Add or choose a card by ${on} to keep it. If you don’t want it anymore, you don’t need to do anything.`,
          ],
          action: { ...BILLING, label: 'Add a card' },
        }
      : {
          subject: `“${title}” renews ${on}`,
          paragraphs: [
            `Your subscription “${title}” renews ${on} for ${amount}${term}.`,
            'To stop it, cancel before then. You keep access to the end of the period you paid for.',
          ],
          action: BILLING,
        }
  },
  'subscription.renewed': ({ data }) => ({
    subject: `Your receipt for “${data.title}”`,
    paragraphs: [
      `We charged ${data.amount} to ${data.card} for your subscription “${data.title}”${forMonths(data.months)}. It’s paid until ${readableDate(data.until)}.`,
    ],
    action: BILLING,
  }),
  'subscription.declined': ({ data }) =>
    data.noCard
      ? lacksCard(data)
      : {
          subject: `We couldn’t charge your card for “${data.title}”`,
          paragraphs: [
            `We couldn’t charge ${data.amount} for your subscription “${data.title}” by ${data.creator}. You have access for 3 days after the end of the paid period. We may try the card again, and end the subscription after 14 days.`,
            'To keep it at this price, update your card in your billing. We’ll charge it right away.',
          ],
          action: { ...BILLING, label: 'Update card' },
        },
  'subscription.ended': ({ data }) => ({
    subject: `“${data.title}” has ended`,
    paragraphs: [
      data.unpaid
        ? `Your subscription “${data.title}” has ended because ${data.noCard ? 'there was no card to charge' : 'we couldn’t charge your card'}. You owe nothing.`
        : data.price
          ? `Your subscription “${data.title}” has ended because you didn’t agree to its new price. You weren’t charged it. You can subscribe again at any time.`
          : `Your subscription “${data.title}” has ended because it isn’t available to you anymore. You won’t be charged again.`,
    ],
    action: BILLING,
  }),
  'subscription.price-changed': ({ data }) => priceChanged(data),
  'subscription.extended': ({ data }) => ({
    subject: `Free time on “${data.title}”`,
    paragraphs: [
      `You have free access to “${data.title}” by ${data.creator} until ${readableDate(data.until)}.`,
      data.renews ? 'You won’t be charged before then.' : 'It ends automatically, and you won’t be charged.',
    ],
    action: BILLING,
  }),
} satisfies Templates
