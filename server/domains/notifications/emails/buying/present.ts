import { counted, type EmailContent, type MessageOf, readableDate, type Templates } from '../rules.ts'

/** `month`, or `3 months`: after which time something is charged again. */
const everyMonths = (months: number) => (months === 1 ? 'month' : `${months} months`)
/** The period that a price is for, if it is longer than a month. */
const forMonths = (months: number) => (months === 1 ? '' : ` for ${months} months`)
/** The number of a receipt; older ones have none. */
const numbered = (number: string | null | undefined) => (number ? [`Receipt number ${number}`] : [])
/** Who sold it, unless its name says that. */
const fromSeller = (title: string, seller: string) => (title.endsWith(`@${seller}`) ? '' : `, from ${seller}`)
const NOTHING_TO_DO = 'You don’t need to do anything.'
const CARD_FIRST = 'There’s no card that we can charge for it: add or choose one to keep your subscription.'
const BILLING = { label: 'See your billing', path: '/dashboard/billing' }

/** A lower price, a higher one that is asked for, or one that was withdrawn. */
function priceChanged(data: MessageOf<'subscription.price-changed'>['data']): EmailContent {
  const { state, title, creator, before } = data
  const [amount, on] = [`${data.amount}${forMonths(data.months)}`, readableDate(data.on)]
  if (state === 'lower')
    return {
      subject: `“${title}” costs less from ${on}`,
      paragraphs: [
        `Your subscription “${title}” by ${creator} renews for ${amount} from ${on}, instead of ${before}. ${data.needsCard ? CARD_FIRST : NOTHING_TO_DO}`,
      ],
      action: BILLING,
    }
  if (state === 'kept')
    return {
      subject: `“${title}” stays at ${data.amount}`,
      paragraphs: [
        `${creator} withdrew the price increase to ${before} for your subscription “${title}”.`,
        `It continues, and renews for ${amount}. ${data.needsCard ? CARD_FIRST : NOTHING_TO_DO}`,
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

function refunded({ title, amount, late, why }: MessageOf<'payment.refunded'>['data']): string {
  if (why === 'alreadyHad') return `You already had “${title}”, so we refunded your payment of ${amount}.`
  if (why === 'gone')
    return `Your payment of ${amount} for “${title}” went through too late, so we refunded it.`
  if (why === 'notApproved')
    return `Your payment of ${amount} for “${title}” wasn’t approved, so you weren’t charged.`
  if (late) return `“${title}” wasn’t delivered by its deadline, so we refunded ${amount}.`
  return `We refunded ${amount} of your payment for “${title}”.`
}

/** By which way the money goes back, and where it is seen. */
function wayBack({ outside, parts, voided }: MessageOf<'payment.refunded'>['data']): string {
  if (parts)
    return `Your card statement shows ${parts.card} of it within 10 days. The other ${parts.other} couldn’t be refunded to your card, so we sent it another way.`
  if (outside) return 'Your card couldn’t be refunded, so we sent it another way.'
  return voided
    ? 'The pending charge disappears from your card, which can take your bank a few days, and won’t be on your statement.'
    : 'Your card statement shows it within 10 days.'
}

/** How long there is access to what couldn't be charged, and when it ends. */
function whileUnpaid({ until, ends }: MessageOf<'subscription.declined'>['data']): string {
  if (!ends) return 'It ends 14 days after the end of the paid period if it isn’t paid by then.'
  const access = until ? `You have access until ${readableDate(until)}` : 'You have no access until it’s paid'
  return `${access}, and the subscription ends on ${readableDate(ends)} if it isn’t paid by then.`
}

function unpaidSubject({ title, until, ends, last }: MessageOf<'subscription.declined'>['data']): string {
  if (last && ends) return `“${title}” ends ${readableDate(ends)} unless you update your card`
  return until || !ends
    ? `We couldn’t charge your card for “${title}”`
    : `Update your card to get “${title}” back`
}

/** A period began that no card could be charged for. */
function lacksCard(data: MessageOf<'subscription.declined'>['data']): EmailContent {
  const { title, amount } = data
  return {
    subject: `Add a card to keep “${title}”`,
    paragraphs: [
      `There’s no card to charge ${amount} for your subscription “${title}”. You haven’t been charged. ${whileUnpaid(data)}`,
      'To keep it, add a card in your billing. We’ll charge it right away.',
    ],
    action: { ...BILLING, label: 'Add a card' },
  }
}

/** Where a creator's subscriptions are sold. */
const profileOf = (creator: string, label: string) => ({
  label,
  path: `/users/${encodeURIComponent(creator)}`,
})

/** Free time, or what was paid for before it was canceled, is over. */
function timeIsOver(
  title: string,
  { free, creator }: NonNullable<MessageOf<'subscription.ended'>['data']['over']>,
): EmailContent {
  return {
    subject: free ? `Your free time on “${title}” has ended` : `“${title}” has ended`,
    paragraphs: [
      free
        ? `Your free time on “${title}” has ended, and you weren’t charged.`
        : `Your subscription “${title}”, which was canceled, has ended. You won’t be charged again.`,
      ...(creator === null
        ? []
        : [`You can subscribe ${free ? '' : 'again '}on ${creator}’s profile at any time.`]),
    ],
    action: creator === null ? BILLING : profileOf(creator, free ? 'Subscribe' : 'Subscribe again'),
  }
}

/** Emails about one's own purchases. */
export const buyingTemplates = {
  'purchase.receipt': ({
    data: { title, amount, seller, fromId, items, reduced, card, on, renews, until, number },
  }) => ({
    subject: `Your receipt for “${title}”`,
    paragraphs: [
      `${title}${items > 1 ? `, ${counted(items, 'item', 'items')}` : ''}${fromId === null ? '' : fromSeller(title, seller)}: ${amount}`,
      ...(reduced
        ? [
            `The full price is ${reduced.fullPrice}. You already had ${counted(reduced.owned, 'item', 'items')}.`,
          ]
        : []),
      `Total: ${amount}, charged to ${card} on ${readableDate(on)}.`,
      renews
        ? `It renews ${readableDate(renews.on)} for ${renews.amount}, and every ${everyMonths(renews.months)} after that until you cancel.`
        : until
          ? `It’s paid until ${readableDate(until)}, and doesn’t renew unless you add a card by then.`
          : 'This is a one-time charge.',
      ...numbered(number),
    ],
    action: BILLING,
  }),
  'payment.refunded': ({ data }) => ({
    subject:
      data.why === 'notApproved'
        ? `Your payment of ${data.amount} wasn’t approved`
        : `Your refund of ${data.amount}`,
    paragraphs: [
      `${refunded(data)} ${wayBack(data)}`,
      ...(data.access === 'ended' ? ['You no longer have access to it.'] : []),
      ...(data.access === 'kept' ? ['You keep access to it.'] : []),
    ],
    action: BILLING,
  }),
  'subscription.renewing': ({ data: { noCard, title, amount, ...data } }) => {
    const [on, term] = [readableDate(data.on), forMonths(data.months)]
    return noCard
      ? {
          subject: `Add a card by ${on} to keep “${title}”`,
          paragraphs: [
            `Your subscription “${title}” is due to renew ${on} for ${amount}${term}, but there’s no card to charge.`,
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
      ...numbered(data.number),
    ],
    action: BILLING,
  }),
  'subscription.declined': ({ data }) =>
    data.noCard
      ? lacksCard(data)
      : {
          subject: unpaidSubject(data),
          paragraphs: [
            `We couldn’t charge ${data.amount} for your subscription “${data.title}” by ${data.creator}. You haven’t been charged. ${whileUnpaid(data)}`,
            'To keep it at this price, update your card in your billing. We’ll charge it right away.',
          ],
          action: { ...BILLING, label: 'Update card' },
        },
  'subscription.reviewed': ({ data: { title, amount, creator, ends } }) => ({
    subject: `Your payment for “${title}” is being reviewed`,
    paragraphs: [
      `Your payment of ${amount} for your subscription “${title}” by ${creator} is being reviewed. You have no access until it’s approved.`,
      `You don’t need to do anything: your access comes back automatically once it’s approved.${ends ? ` If it isn’t approved by ${readableDate(ends)}, the subscription ends.` : ''} You’re charged only if it’s approved.`,
    ],
    action: BILLING,
  }),
  'subscription.ending': ({ data: { title, creator, creatorId, ...data } }) => {
    const on = readableDate(data.on)
    const amount = creatorId === null ? null : data.amount
    return {
      subject: `Your free time on “${title}” ends ${on}`,
      paragraphs: [
        `Your free time on “${title}” by ${creator} ends ${on}. You won’t be charged.`,
        ...(amount === null
          ? []
          : [`To have access after that, subscribe on ${creator}’s profile then, for ${amount} a month.`]),
      ],
      action: amount === null ? BILLING : profileOf(creator, `See ${creator}’s profile`),
    }
  },
  'subscription.canceled': ({ data: { title, creator, until, resumable } }) => {
    const on = readableDate(until)
    return {
      subject: `You canceled “${title}”`,
      paragraphs: [
        `Your subscription “${title}” by ${creator} is canceled, and you won’t be charged again. You have access until ${on}.`,
        ...(resumable ? ['If you change your mind, resume it in your billing before then.'] : []),
      ],
      action: BILLING,
    }
  },
  'subscription.ended': ({ data }) =>
    data.over
      ? timeIsOver(data.title, data.over)
      : {
          subject: `“${data.title}” has ended`,
          paragraphs: [
            data.unpaid
              ? `Your subscription “${data.title}” has ended because ${data.noCard ? 'there was no card to charge' : 'we couldn’t charge your card'}. You owe nothing.`
              : data.price
                ? `Your subscription “${data.title}” has ended because you didn’t agree to its new price. You weren’t charged it. You can subscribe again at any time.`
                : `Your subscription “${data.title}” has ended because it isn’t available to you anymore. You won’t be charged again.`,
          ],
          action: BILLING,
        },
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
