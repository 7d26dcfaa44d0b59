import type { z } from 'zod'
import { formatMoney } from '../../../../../contract/money.ts'
import type { disputeRoutes } from '../../../../../contract/routes/commerce/disputes.ts'
import { brandName } from '../../cards/rules.ts'
import { documentOf } from '../../refunds/rules.ts'
import type { Evidence } from './data.ts'

type Sections = z.output<typeof disputeRoutes.disputeEvidence.output>['sections']
type Fact = { label: string; value: string }

const KIND = {
  single: 'One item',
  singles: 'Several items',
  message: 'Items in a private message',
  tip: 'Tip',
  donation: 'Tip for the site',
  custom: 'Custom request, made for the buyer',
  bundle: 'Bundle',
  subscription: 'Subscription',
} as const

/** The evidence in the words of somebody who reads it at a bank; what isn't known is left out, and so is a section of nothing else. */
export function presentEvidence(evidence: Evidence): Sections {
  const { dispute, order, since, items, lent, grants, earlier, attempts, refunds } = evidence
  const paid = attempts.find(({ id }) => id === dispute.payment_id)
  const sections: { title: string; facts: (Fact | null)[] }[] = [
    {
      title: 'Dispute',
      facts: [
        fact('Case number', dispute.case_number),
        fact('Amount', formatMoney(dispute.amount_cents)),
        fact('Opened', moment(dispute.opened_at)),
        fact('Respond by', dispute.respondBy),
      ],
    },
    {
      title: 'What was bought',
      facts: [
        fact('Transaction', dispute.order_id),
        fact('Kind', KIND[order.kind]),
        fact('Title', order.title),
        fact('Price', formatMoney(order.amount_cents)),
        fact('Creator', dispute.creatorUsername),
        fact('Period', periodOf(order)),
        fact('Ordered', moment(order.created_at)),
        fact('Paid', moment(order.paid_at)),
        fact('Buyer’s request', order.requestMessage),
        fact('Agreed delivery', order.deliveryDays === null ? null : withinDays(order.deliveryDays)),
        fact('Delivered', moment(order.deliveredAt)),
        ...items.map(({ title, type }, at) =>
          fact(`Item ${at + 1}`, `${title || 'Untitled'}${type ? ` (${type})` : ''}`),
        ),
      ],
    },
    {
      title: 'Consent',
      facts: [
        fact('Terms accepted', order.terms_version && `Version ${order.terms_version}`),
        fact('Accepted', moment(order.consented_at)),
        fact('From network', order.consent_network),
      ],
    },
    {
      title: 'Charge',
      facts: [
        fact(
          'Card',
          paid?.card_brand ? `${brandName(paid.card_brand)} ending in ${paid.card_last_four}` : null,
        ),
        fact('Gateway’s transaction', paid?.gateway_transaction_id ?? null),
        fact('Our reference', paid?.reference ?? null),
        fact('Address check (AVS)', paid?.avs ?? null),
        fact('Security code check (CVV)', paid?.cvv ?? null),
        fact('Attempts', String(attempts.length)),
        ...refunds.map(({ cents, status, created_at, number }) => {
          const document = documentOf(number)
          const by = document === null ? '' : `, by transfer, document number ${document}`
          return fact('Refund', `${formatMoney(cents)}, ${status}, ${moment(created_at)}${by}`)
        }),
      ],
    },
    {
      title: 'Access',
      facts: [
        ...grants.map(({ granted_at, valid_until, revoked_at }) =>
          // What was made for the buyer is paid before there is anything to unlock.
          fact(
            'Unlocked',
            `${moment(order.deliveredAt ?? granted_at)} to ${moment(earliest(valid_until, revoked_at, order.erasedAt)) ?? 'now'}`,
          ),
        ),
        ...[...items, ...lent].map((item) =>
          fact(`Viewed “${item.title || 'Untitled'}”`, viewed(item, since)),
        ),
        fact('Subscription', order.subscriptionStatus),
        fact('Subscription ended', moment(order.subscriptionEndedAt)),
      ],
    },
    {
      title: 'Buyer’s account',
      facts: [
        fact('Username', order.username),
        fact('Email', order.email),
        fact('Member since', moment(order.joinedAt)),
        fact('Email confirmed', moment(order.email_verified_at)),
        fact('Confirmed to be of age', moment(order.age_confirmed_at)),
        fact(
          'Earlier purchases, not refunded or disputed',
          earlier.count === 0
            ? 'None'
            : `${earlier.count} for ${formatMoney(earlier.cents)}, the first ${moment(earlier.first)}`,
        ),
      ],
    },
  ]
  return sections
    .map(({ title, facts }) => ({ title, facts: facts.filter((one) => one !== null) }))
    .filter(({ facts }) => facts.length > 0)
}

function fact(label: string, value: string | null): Fact | null {
  return value === null || value === '' ? null : { label, value }
}

function periodOf({ period, months }: Evidence['order']): string | null {
  if (period === null) return null
  return `Period ${period} of the subscription, ${months === 1 ? '1 month' : `${months} months`}`
}

const withinDays = (days: number) => (days === 1 ? 'Within 1 day' : `Within ${days} days`)

function moment(time: Date | null): string | null {
  return time && `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** When an item was viewed since it was paid for. */
function viewed(
  { first_at, first_network, last_at, last_network, days }: Evidence['items'][number],
  since: Date,
): string | null {
  if (!first_at || !last_at) return null
  // How many of the days were before isn't kept.
  if (first_at < since) return `${moment(last_at)} from ${last_network ?? 'an unknown network'}`
  const first = `${moment(first_at)} from ${first_network ?? 'an unknown network'}`
  if (!days || days === 1) return first
  // Of the last day only one view is kept, which need not be its last.
  const lastDay = last_at.toISOString().slice(0, 10)
  return `${first}, on ${days} days (UTC), last on ${lastDay} from ${last_network ?? 'an unknown network'}`
}

function earliest(...moments: (Date | null)[]): Date | null {
  const known = moments.filter((one) => one !== null)
  return known.length === 0 ? null : new Date(Math.min(...known.map((one) => one.getTime())))
}
