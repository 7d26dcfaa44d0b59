import escapeHtml from 'escape-html'
import type { Delivery, NotificationKind } from '../../../contract/notifications.ts'
import type { ChangedPart } from '../../../contract/promotion.ts'

/** The site as its mails name it. */
export type EmailContext = { brand: string; publicUrl: string; contact: string }

type Message = Delivery['message']
type Of<K extends Message['kind']> = Extract<Message, { kind: K }>

type EmailParts = { link?: string; lines?: readonly string[]; unsubscribe?: string | null }

type EmailContent = {
  subject: string
  /** Plain text, a few sentences each; line ends stay. */
  paragraphs: string[]
  /** Where the mail leads: a path of this site, and what stands on the button. */
  action?: { label: string; path: string }
}

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
/** `Nov 21, 2026`, of a day such as `2026-11-21`. */
const readableDate = (day: string) => DATE.format(new Date(day))

/** `month`, or `3 months`: after which time something is charged again. */
const everyMonths = (months: number) => (months === 1 ? 'month' : `${months} months`)
/** What a price is for, where that is more than one month. */
const forMonths = (months: number) => (months === 1 ? '' : ` for ${months} months`)

const NOT_YOU = 'If this wasn’t you, contact us right away.'
const BILLING = { label: 'See your billing', path: '/dashboard/billing' }
/** Who took a post down, by the forum’s word. */
const REMOVERS: Record<string, string> = {
  moderator: 'a moderator',
  automod_filtered: 'the subreddit’s automatic filter',
  reddit: 'the forum’s spam filter',
  anti_evil_ops: 'the forum’s safety team',
  community_ops: 'the forum’s staff',
  legal_operations: 'the forum for legal reasons',
  copyright_takedown: 'the forum after a copyright claim',
  user: 'the owner of the profile',
}
/** What the forum changed of a subreddit. */
const CHANGED: Record<ChangedPart, string> = {
  rules: 'the rules',
  flair: 'the flair',
  requirements: 'the post requirements',
  access: 'who can see it',
}
const LISTED = new Intl.ListFormat('en-US')
const EARNINGS = { label: 'See your earnings', path: '/dashboard/earnings' }
const SECURITY = { label: 'Review your security', path: '/dashboard/security' }

/** Leads to a custom request in the conversation with its other person. */
const requestAction = (personId: string, messageId: string | null) => ({
  label: 'See the request',
  path: `/dashboard/chat/${personId}${messageId === null ? '' : `?message=${messageId}`}`,
})

/** A lower price, a higher one that is asked for, or that isn't any more. */
function priceChanged(data: Of<'subscription.price-changed'>['data']): EmailContent {
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
        `${creator} no longer asks for ${before} for your subscription “${title}”.`,
        `It continues, and renews for ${amount}. You don’t need to do anything.`,
      ],
      action: BILLING,
    }
  if (state === 'ending')
    return {
      subject: `“${title}” ends ${on}`,
      paragraphs: [
        `${creator} no longer asks for ${before} for your subscription “${title}”. You declined that price, so your subscription ends on ${on}, and you won’t be charged again.`,
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
      `${creator} asks for ${amount} for your subscription “${title}”, instead of ${before}. You’d first be charged that on ${on}.`,
      'Agree or decline in your billing. Until then you keep your price, and nothing changes.',
      `If you don’t agree, your subscription ends on ${on}, and you won’t be charged the new price.`,
    ],
    action: { label: 'Agree or decline', path: '/dashboard/billing' },
  }
}

/** One template for each kind. None but the operator's carries words that a person typed for somebody else to read. */
const templates: {
  [K in Message['kind']]: (
    message: Of<K>,
    site: EmailContext,
    link: string,
    lines?: readonly string[],
  ) => EmailContent
} = {
  'email.confirm': (_message, { brand }, path) => ({
    subject: `Verify your email for ${brand}`,
    paragraphs: [
      `Open the link below to verify that this is your email address for ${brand}. The link expires in 48 hours.`,
      'If you didn’t request this, you can ignore this email.',
    ],
    action: { label: 'Verify my email', path },
  }),
  'email.change-requested': (_message, { brand }) => ({
    subject: 'Your email is about to change',
    paragraphs: [
      `Someone, hopefully you, asked to change the email address of your ${brand} account. It changes once the link we sent to the new address is opened.`,
      'If this wasn’t you, change your password and contact us right away.',
    ],
    action: SECURITY,
  }),
  'email.taken': (_message, { brand }) => ({
    subject: 'Someone tried to use your email',
    paragraphs: [
      `Someone tried to use this email address for another ${brand} account. Nothing changed. It still belongs to your account.`,
      'If this was you, log in with this email address instead. If you forgot your password, reset it.',
    ],
    action: { label: 'Log in', path: '/login' },
  }),
  'password.reset': (_message, _site, path) => ({
    subject: 'Reset your password',
    paragraphs: [
      'Someone, hopefully you, asked to reset your password. The link works once and expires in one hour.',
      'If this wasn’t you, you can ignore this email. Your password stays the same.',
    ],
    action: { label: 'Choose a new password', path },
  }),
  'password.changed': (_message, { brand }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password for your ${brand} account was changed. You’ve been logged out everywhere else.`,
      'If this wasn’t you, reset your password and contact us right away.',
    ],
    action: { label: 'Reset your password', path: '/reset' },
  }),
  'factor.added': ({ data }) => ({
    subject: 'Two-factor authentication was added',
    paragraphs: [
      `${data.passkey === null ? 'An authenticator app' : `The passkey “${data.passkey}”`} was added to your account. You’ll need it to log in from now on.`,
      NOT_YOU,
    ],
    action: SECURITY,
  }),
  'factor.removed': ({ data }) => ({
    subject: 'Two-factor authentication was removed',
    paragraphs: [
      `${data.passkey === null ? 'The authenticator app' : `The passkey “${data.passkey}”`} was removed from your account.`,
      ...(data.last ? ['Only your password protects it now, and your recovery codes no longer work.'] : []),
      NOT_YOU,
    ],
    action: SECURITY,
  }),
  'bank-details.changed': ({ data: { lastFour, until } }, { brand }) => ({
    subject: 'Your bank details were changed',
    paragraphs: [
      `Payouts from ${brand} now go to the account that ends in ${lastFour}. To keep your money safe, nothing is paid there before ${readableDate(until)}.`,
      'If this wasn’t you, change your password and contact us right away.',
    ],
    action: SECURITY,
  }),
  'recovery-code.used': ({ data }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      `One of your recovery codes was used. You have ${data.left} left.`,
      'If this wasn’t you, change your password and create new codes right away.',
    ],
    action: SECURITY,
  }),
  'deletion.requested': ({ data }) => ({
    subject: 'Your account will be deleted',
    paragraphs: [
      'Your account will be deleted within 30 days. No one can see it anymore.',
      `To keep your account, log in before ${readableDate(data.erasedBy)}. Everything will be back as it was.`,
    ],
    action: { label: 'Log in to keep it', path: '/login' },
  }),
  'deletion.undone': () => ({
    subject: 'Your account won’t be deleted',
    paragraphs: ['You logged in, so we canceled the deletion. Everything is back as it was.'],
    action: { label: 'Go to your dashboard', path: '/dashboard' },
  }),
  'export.ready': () => ({
    subject: 'Your data is ready',
    paragraphs: ['A copy of your data is ready. You can download it for 7 days.'],
    action: { label: 'Download your data', path: '/dashboard/privacy' },
  }),
  'creator.leaving': ({ data }) => ({
    subject: 'Download what you bought',
    paragraphs: [
      `${data.username} is deleting their account. You can view and download what you bought from them until ${readableDate(data.until)}.`,
      'After that, it will be gone. Your payments stay in your purchase history.',
    ],
    action: { label: 'See your content', path: '/yourcontent' },
  }),
  'payment.refunded': ({ data }) => ({
    subject: `Your refund of ${data.amount}`,
    paragraphs: [
      `We refunded ${data.amount} of your payment for “${data.title}”. Your card statement shows it within 10 days.`,
      data.whole ? 'You no longer have access to it.' : 'You keep access to it.',
    ],
    action: { label: 'See your payments', path: '/dashboard/earnings' },
  }),
  'sale.disputed': ({ data: { title, amount, state } }) => ({
    subject: {
      opened: `A buyer disputed your sale of “${title}”`,
      won: `You won the dispute over “${title}”`,
      lost: `You lost the dispute over “${title}”`,
    }[state],
    paragraphs: {
      opened: [
        `The buyer’s bank took back ${amount} paid for “${title}”. Your share of it is on hold until the bank decides, which can take some weeks.`,
        'We answer the bank. You don’t need to do anything. Please don’t contact the buyer about it.',
      ],
      won: [`The bank returned ${amount} paid for “${title}”. Your share of it is no longer on hold.`],
      lost: [
        `The buyer keeps ${amount} paid for “${title}”, so your share of it was taken back. They no longer have access.`,
      ],
    }[state],
    action: EARNINGS,
  }),
  'subscription.renewing': ({ data }) => ({
    subject: `“${data.title}” renews ${readableDate(data.on)}`,
    paragraphs: [
      `Your subscription “${data.title}” renews ${readableDate(data.on)} for ${data.amount}${forMonths(data.months)}.`,
      'To stop it, cancel before then. You keep access to the end of the period you paid for.',
    ],
    action: BILLING,
  }),
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
  'subscription.renewed': ({ data }) => ({
    subject: `Your receipt for “${data.title}”`,
    paragraphs: [
      `We charged ${data.amount} to ${data.card} for your subscription “${data.title}”${forMonths(data.months)}. It’s paid until ${readableDate(data.until)}.`,
    ],
    action: BILLING,
  }),
  'subscription.declined': ({ data }) => ({
    subject: `We couldn’t charge your card for “${data.title}”`,
    paragraphs: [
      `We couldn’t charge ${data.amount} for your subscription “${data.title}”. You have access for 3 days after the end of the paid period. We may try the card again, and end the subscription after 14 days.`,
      `To keep it, subscribe again on ${data.creator}’s profile with another card. You won’t be charged twice.`,
    ],
    action: { label: 'Pay with another card', path: `/users/${encodeURIComponent(data.creator)}` },
  }),
  'subscription.ended': ({ data }) => ({
    subject: `“${data.title}” has ended`,
    paragraphs: [
      data.unpaid
        ? `Your subscription “${data.title}” has ended because we couldn’t charge your card. You owe nothing.`
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
      data.renews ? 'You won’t be charged before then.' : 'It ends by itself, and you won’t be charged.',
    ],
    action: BILLING,
  }),
  'message.received': ({ data }) => ({
    subject: `New message from ${data.from}`,
    paragraphs: [`${data.from} sent you a message.`],
    action: { label: 'Read the message', path: `/dashboard/chat/${data.senderId}` },
  }),
  'custom.changed': ({ data: { state, from, fromId, messageId, amount } }) => ({
    subject: {
      requested: `New custom request from ${from}`,
      accepted: `${from} accepted your custom request`,
      declined: `${from} declined your custom request`,
      delivered: `${from} delivered your custom request`,
    }[state],
    paragraphs: {
      requested: [`${from} sent you a custom request. Accept it with a price, or decline it.`],
      accepted: [`${from} accepted your custom request for ${amount}. Pay to get started.`],
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
    subject: data.sent ? 'Your message was sent without some media' : 'Your scheduled message wasn’t sent',
    paragraphs: [
      data.sent
        ? `${data.leftOut === 1 ? '1 item is' : `${data.leftOut} items are`} no longer available, so your scheduled message was sent without ${data.leftOut === 1 ? 'it' : 'them'}.`
        : 'Something it needed is no longer available. See why, and send it again.',
    ],
    action: { label: 'See your mass messages', path: '/dashboard/mass-messages' },
  }),
  'follower.added': ({ data }) => ({
    subject: 'You have a new follower',
    paragraphs: [`${data.from} followed you.`],
    action: { label: 'See your fans', path: '/dashboard/fans' },
  }),
  'sale.made': ({ data }) => ({
    subject: `You sold “${data.title}”`,
    paragraphs: [`${data.from} bought “${data.title}” for ${data.amount}.`],
    action: EARNINGS,
  }),
  'subscriber.added': ({ data }) => ({
    subject: `New subscriber to “${data.title}”`,
    paragraphs: [
      data.amount === null
        ? `${data.from} started a free trial of “${data.title}”.`
        : `${data.from} subscribed to “${data.title}” and paid ${data.amount}.`,
    ],
    action: { label: 'See your fans', path: '/dashboard/fans' },
  }),
  'subscriber.canceled': ({ data }) => ({
    subject: `A subscriber canceled “${data.title}”`,
    paragraphs: [
      `${data.from} canceled “${data.title}”. They have access until ${readableDate(data.until)} and can resume until then.`,
    ],
    action: { label: 'See your fans', path: '/dashboard/fans' },
  }),
  'subscriber.ended': ({ data }) => ({
    subject: `A subscription to “${data.title}” ended`,
    paragraphs: [`${data.from} is no longer subscribed to “${data.title}”.`],
    action: { label: 'See your fans', path: '/dashboard/fans' },
  }),
  'tip.received': ({ data }) => ({
    subject: `You got a tip of ${data.amount}`,
    paragraphs: [`${data.from} sent you a tip of ${data.amount}.`],
    action: EARNINGS,
  }),
  'payout.changed': ({ data: { amount, state, reason } }) => ({
    subject: {
      approved: `Your payout of ${amount} was approved`,
      paid: `Your payout of ${amount} was paid`,
      failed: `Your payout of ${amount} failed`,
      canceled: `Your payout of ${amount} was canceled`,
    }[state],
    paragraphs: [
      {
        approved: `Your payout of ${amount} was approved. We’ll send it to your bank next.`,
        paid: `We sent ${amount} to your bank. It can take a few days to arrive.`,
        failed: `Your bank didn’t accept your payout of ${amount}. The amount is available to you again.`,
        canceled: `Your payout of ${amount} was canceled. The amount is available to you again.`,
      }[state],
      ...(reason ? [`Reason: ${reason}`] : []),
    ],
    action: EARNINGS,
  }),
  'shared-code.changed': ({ data: { from, state } }) => ({
    subject:
      state === 'invited'
        ? `${from} invited you to share a referral code`
        : `You’re no longer part of a shared code`,
    paragraphs: [
      state === 'invited'
        ? `${from} invited you to share a referral code. Once you accept, you earn an equal part of its commissions, and you can leave it at any time.`
        : `${from} took you out of a shared referral code. What you earned with it stays yours.`,
    ],
    action: { label: 'See your referrals', path: '/dashboard/sharedrefs' },
  }),
  'forum.reconnect': ({ data }) => ({
    subject: 'Connect your forum account again',
    paragraphs: [
      `The forum no longer accepts our connection to ${data.account}. Nothing was lost. Connect it again to go on posting and reading rules.`,
    ],
    action: { label: 'Connect again', path: '/dashboard/reddit' },
  }),
  'verification.reminder': ({ data }) => ({
    subject: `Reminder: get verified in r/${data.subreddit}`,
    paragraphs: [`You asked us to remind you today of your verification in r/${data.subreddit}.`],
    action: { label: 'See your verification', path: `/editusersrinfo/${encodeURIComponent(data.subreddit)}` },
  }),
  'subreddit.changed': ({ data: { subreddit, parts } }) => ({
    subject: `r/${subreddit} changed`,
    paragraphs: [
      `You have a post planned in r/${subreddit}, where ${LISTED.format(parts.map((part) => CHANGED[part]))} changed. Check that your post still fits.`,
    ],
    action: { label: 'See what changed', path: `/editsrinfo/${encodeURIComponent(subreddit)}` },
  }),
  'post.changed': ({ data: { state, subreddit, title, reason } }) => ({
    subject: {
      failed: `Your post in r/${subreddit} wasn’t posted`,
      unknown: `We’re not sure about your post in r/${subreddit}`,
      waiting: `Time to post in r/${subreddit}`,
      removed: `Your post in r/${subreddit} was removed`,
    }[state],
    paragraphs: [
      {
        failed: `“${title}” wasn’t posted. ${reason ?? ''}`.trim(),
        unknown: `“${title}” may or may not be up. Please look on the forum, then say so on your timeline.`,
        waiting: `It’s time for “${title}”. Open it on your timeline, post it, and paste its link.`,
        removed: `“${title}” was taken down by ${REMOVERS[reason ?? ''] ?? 'the forum'}.`,
      }[state],
    ],
    action: { label: 'See your timeline', path: '/dashboard/timeline' },
  }),
  'media.ready': ({ data }) => ({
    subject: `“${data.title}” is ready`,
    paragraphs: [`Your upload “${data.title}” is ready to publish.`],
    action: { label: 'See your upload', path: `/dashboard/edit/media/${data.mediaId}` },
  }),
  'media.failed': ({ data }) => ({
    subject: `“${data.title}” couldn’t be used`,
    paragraphs: [`We couldn’t use your upload “${data.title}”. ${data.reason}`],
    action: { label: 'Upload another file', path: '/dashboard/uploadbulk' },
  }),
  'media.quarantined': ({ data }) => ({
    subject: `“${data.title}” was taken down`,
    paragraphs: [
      `We took down “${data.title}”. No one can see it or buy it while it’s down. Questions about it? Write to us.`,
    ],
    action: { label: 'See your library', path: '/dashboard/manage' },
  }),
  'notifications.digest': (_message, { brand }, _link, lines = []) => ({
    subject: `What’s new on ${brand}`,
    paragraphs: ['Here’s what you haven’t seen yet:', lines.map((line) => `• ${line}`).join('\n')],
    action: { label: 'See your notifications', path: '/dashboard/notifications' },
  }),
  'contact.message': ({ data }, { brand }) => ({
    subject: `${brand}: message from ${data.email}`,
    paragraphs: [
      [
        `Reply to: ${data.email}`,
        `Name: ${data.name || 'not given'}`,
        `Account: ${data.username ?? 'not logged in'}`,
      ].join('\n'),
      data.message,
    ],
  }),
}

/** What a digest says of notifications of one kind. */
const digestLines: Partial<Record<NotificationKind, (count: number) => string>> = {
  'message.received': (count) => counted(count, 'person wrote to you', 'people wrote to you'),
  'mass-message.changed': (count) => counted(count, 'mass message update', 'mass message updates'),
  'custom.changed': (count) => counted(count, 'custom request update', 'custom request updates'),
  'custom.sold': (count) =>
    counted(count, 'paid or overdue custom request', 'paid or overdue custom requests'),
  'subscription.extended': (count) => counted(count, 'gift of free time', 'gifts of free time'),
  'sale.made': (count) => counted(count, 'sale', 'sales'),
  'subscriber.added': (count) => counted(count, 'new subscriber', 'new subscribers'),
  'tip.received': (count) => counted(count, 'tip', 'tips'),
  'subscriber.canceled': (count) => counted(count, 'subscriber canceled', 'subscribers canceled'),
  'subscriber.ended': (count) => counted(count, 'subscription ended', 'subscriptions ended'),
  'follower.added': (count) => counted(count, 'new follower', 'new followers'),
  'payout.changed': (count) => counted(count, 'payout update', 'payout updates'),
  'shared-code.changed': (count) => counted(count, 'shared code update', 'shared code updates'),
  'forum.reconnect': (count) =>
    counted(count, 'forum account to connect again', 'forum accounts to connect again'),
  'verification.reminder': (count) => counted(count, 'verification reminder', 'verification reminders'),
  'subreddit.changed': (count) =>
    counted(count, 'subreddit changed its rules', 'subreddits changed their rules'),
  'post.changed': (count) => counted(count, 'post to look at', 'posts to look at'),
  'media.ready': (count) => counted(count, 'upload is ready', 'uploads are ready'),
  'media.failed': (count) => counted(count, 'upload couldn’t be used', 'uploads couldn’t be used'),
  'media.quarantined': (count) => counted(count, 'item was taken down', 'items were taken down'),
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** The lines of a digest, one for each kind; a kind that can’t wait for one is counted with the rest. */
export function digestOf(counts: readonly { kind: NotificationKind; count: number }[]): string[] {
  const rest = counts.filter(({ kind }) => !digestLines[kind]).reduce((sum, { count }) => sum + count, 0)
  const lines = counts.flatMap(({ kind, count }) => digestLines[kind]?.(count) ?? [])
  return rest > 0 ? [...lines, counted(rest, 'other notification', 'other notifications')] : lines
}

/**
 * A message as an e-mail, plain text and HTML; everything in it is escaped. `link`: the path that a link mail leads to;
 * `lines`: what a digest lists; `unsubscribe`: the address at which mails like this are ended.
 */
export function renderEmail(
  message: Message,
  site: EmailContext,
  { link = '', lines = [], unsubscribe = null }: EmailParts = {},
): { subject: string; text: string; html: string } {
  const template = templates[message.kind] as (
    message: Message,
    site: EmailContext,
    link: string,
    lines: readonly string[],
  ) => EmailContent
  const { subject, paragraphs, action } = template(message, site, link, lines)
  const address = action ? `${site.publicUrl}${action.path}` : null
  const contact = escapeHtml(site.contact)
  const body = paragraphs
    .map(
      (text) =>
        `<p style="margin:0 0 16px;font-size:16px;line-height:1.5;white-space:pre-wrap">${escapeHtml(text)}</p>`,
    )
    .join('\n')
  const button =
    action && address
      ? `<p style="margin:8px 0 24px"><a href="${escapeHtml(address)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#26221e;color:#ffffff;font-size:16px;text-decoration:none">${escapeHtml(action.label)}</a></p>`
      : ''
  const end = unsubscribe ? ` <a href="${escapeHtml(unsubscribe)}" style="color:inherit">Unsubscribe</a>` : ''
  return {
    subject: subject.includes(site.brand) ? subject : `${subject} · ${site.brand}`,
    text: [
      ...paragraphs,
      ...(address ? [address] : []),
      `Questions? Write to ${site.contact}.`,
      ...(unsubscribe ? [`Unsubscribe: ${unsubscribe}`] : []),
    ].join('\n\n'),
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f4f1;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#26221e">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:22px;font-weight:600">${escapeHtml(subject)}</h1>
${body}
${button}
<p style="margin:0;font-size:14px;line-height:1.5;color:#6b645c">Questions? Write to <a href="mailto:${contact}" style="color:inherit">${contact}</a>.${end}</p>
</div>
</body>
</html>
`,
  }
}
