import { notificationPath } from '../../../../../contract/notification-paths.ts'
import { type MessageOf, readableDate, type Templates } from '../rules.ts'

const EARNINGS = { label: 'See your earnings', path: '/dashboard/earnings' }
const REFERRALS = { label: 'See your referrals', path: '/dashboard/sharedrefs' }

/** Emails to creators about fans, sales, money, and their media. */
export const sellingTemplates = {
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
  'sale.refunded': ({ data: { title, amount, share, access } }) => ({
    subject: `We refunded ${amount} paid for “${title}”`,
    paragraphs: [
      `We refunded ${amount} paid for “${title}”, and took back ${share} of your share.`,
      ...(access === 'ended' ? ['The buyer no longer has access to it.'] : []),
    ],
    action: EARNINGS,
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
      lost: [`The buyer keeps ${amount} paid for “${title}”, so your share of it was taken back.`],
    }[state],
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
  'payout.changed': ({ data: { amount, state, reason, until, cut } }) => ({
    subject: {
      approved: `Your payout of ${amount} was approved`,
      paid: `Your payout of ${amount} was paid`,
      failed: `Your payout of ${amount} failed`,
      canceled: `Your payout of ${amount} was canceled`,
      returned: `Your payout of ${amount} came back`,
    }[state],
    paragraphs: [
      {
        approved: `Your payout of ${amount} was approved. We’ll send it to your bank next.`,
        paid: `We sent ${amount} to your bank. It can take a few days to arrive.`,
        failed: `Your bank didn’t accept your payout of ${amount}. ${backOf(cut)}`,
        canceled: `Your payout of ${amount} was canceled. ${backOf(cut)}`,
        returned: `Your bank sent your payout of ${amount} back to us. ${backOf(cut)} Check your bank details before you request it again.`,
      }[state],
      ...(reason ? [`Reason: ${reason}`] : []),
      ...(until
        ? [
            `You deleted your profile. Log in before ${readableDate(until)} to bring it back and request the payout again. After that, your account and your bank details are erased.`,
          ]
        : []),
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
        : `${from} removed you from a shared referral code. What you earned with it stays yours.`,
    ],
    action: REFERRALS,
  }),
  'subreddit.decided': ({ data: { state, subreddit, amount, note } }) => ({
    subject: {
      approved: `r/${subreddit} was approved`,
      declined: `r/${subreddit} was declined`,
      share: `You got ${amount} for r/${subreddit}`,
    }[state],
    paragraphs: [
      {
        approved: `You earn ${amount} for referring r/${subreddit}. You can request a payout after 7 days.`,
        declined: `We declined your application for r/${subreddit}.`,
        share: `r/${subreddit} joined our subreddit program, and its share of ${amount} goes to you. You can request a payout after 7 days.`,
      }[state],
      ...(note ? [`${state === 'declined' ? 'Reason' : 'Restrictions'}: ${note}`] : []),
    ],
    action: state === 'share' ? EARNINGS : REFERRALS,
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
    // Its title may be what somebody beside the screen shouldn't read.
    subject: data.changed ? 'The decision on one of your items changed' : 'One of your items was taken down',
    paragraphs: [
      [data.changed ? `“${data.title}” stays down.` : `We took down “${data.title}”.`, data.reason]
        .filter(Boolean)
        .join(' '),
      `No one can see it or buy it while it’s down. If you think this is a mistake, you can appeal${data.deleted ? '' : ' on its page'}.`,
    ],
    action: {
      label: data.deleted ? 'Appeal' : 'See it and appeal',
      path: notificationPath({ kind: 'media.quarantined', data }),
    },
  }),
  'media.released': ({ data }) => ({
    subject: 'One of your items is back',
    paragraphs: [
      `“${data.title}” is no longer taken down. Everyone who could see it before can see it again.`,
    ],
    action: { label: 'See it', path: `/media/${data.mediaId}` },
  }),
} satisfies Templates

/** How much of a payout that didn't come about is back, and where the rest is. */
function backOf(cut: MessageOf<'payout.changed'>['data']['cut']): string {
  if (!cut) return 'The amount is back in your balance.'
  const { back, taken, held } = cut
  return [
    `${back} of it is back in your balance.`,
    ...(taken ? [`We took back ${taken} of it for refunds and lost disputes.`] : []),
    ...(held ? [`${held} of it is on hold until the bank decides on a dispute.`] : []),
  ].join(' ')
}
