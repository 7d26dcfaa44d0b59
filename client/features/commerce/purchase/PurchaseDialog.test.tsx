import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { Kind } from '../../../../contract/orders.ts'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { keepWish, keptWish } from '../../../lib/wish.ts'
import type { Buyable } from '../parts/buyable.ts'
import { PurchaseDialog } from './PurchaseDialog.tsx'
import { purchaseTexts } from './texts.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const BUNDLE = { kind: 'bundle', itemId: 'bundle', title: 'Harbor', creatorUsername: 'mara' } as const
const CARD = { _id: 'card', brand: 'Visa', lastFour: '1111', expires: '09/31', expiry: 'valid', renews: [] }
const reduction = { fullPrice: '$20', owned: 2 }

function show(item: Buyable, more: { onRefused?: () => void } = {}): void {
  const element = <PurchaseDialog item={item} opened onClose={() => {}} {...more} />
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

/** Opens the dialog at $15, where an earlier attempt of this amount is undecided, and then as it is said. */
function opens(amount: string, { kind, end }: { kind: 'bundle' | 'tip'; end: 'captured' | 'held' }) {
  const purchase = { _id: 'purchase', kind, itemId: 'bundle', amount, message: '' }
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('/auth/me'))
      return Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail: 'verified', permissions: [] })
    if (address.includes('itemId=bundle'))
      return Response.json({ purchase: { ...purchase, status: 'unknown' } })
    if (address.includes('purchase')) return Response.json({ ...purchase, status: end })
    return Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
  })
  writeToken(crypto.randomUUID())
  const item =
    kind === 'tip'
      ? { ...BUNDLE, kind, title: 'Tip of $15', price: '$15' }
      : { ...BUNDLE, price: '$15', itemCount: 8, reduction }
  show(item)
}

test.each([
  ['$15', 'at the terms that are shown', { reduced: 1, full: 1 }],
  ['$20', 'at earlier terms, before anything of it was owned', { reduced: 0, full: 0 }],
])('a receipt says that %s was paid, %s', async (amount, _terms, { reduced, full }) => {
  opens(amount, { kind: 'bundle', end: 'captured' })
  await screen.findByText(purchaseTexts.done)
  const receipt = screen.getByText(purchaseTexts.paid).parentElement?.textContent
  expect(receipt).toContain(amount)
  expect(receipt?.includes('$15')).toBe(amount === '$15')
  expect(screen.queryAllByText(purchaseTexts.reduced(2, 8))).toHaveLength(reduced)
  expect(screen.queryAllByText('$20', { selector: 's, s *, del, del *' })).toHaveLength(full)
})

test('an earlier tip that is under review is shown with its own amount', async () => {
  opens('$5', { kind: 'tip', end: 'held' })
  await screen.findByText(purchaseTexts.undecided)
  screen.getByText('Tip of $5')
  expect(document.body.textContent).not.toContain('$15')
})

test('who pays a custom request is told again in how many days it is delivered', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ purchase: null, items: [], cards: [] }))
  const item = {
    ...({
      kind: 'custom',
      itemId: 'request',
      title: 'Custom request to @mara',
      creatorUsername: 'mara',
      price: '$15',
    } as const),
    deliveryDays: 7,
  }
  show(item)
  await screen.findByText('Delivered within 7 days of your payment, or you get a refund.')
  // The title says whom it is to.
  expect(screen.queryByText(purchaseTexts.by('mara', undefined))).toBeNull()
})

/** Pays for a bundle of $15, shown so, whose purchase is refused at first, as it is otherwise by now; answers what is sent of its contents. */
async function paysFor(
  shown: { itemCount?: number; mediaCount?: string; kind?: Kind },
  refused: { error: string; code: string; details?: Record<string, string> },
  refusedTo: { onRefused?: () => void } = {},
) {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (address.includes('/auth/me'))
      return Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail: 'verified', permissions: [] })
    if (init?.method !== 'POST')
      return Response.json({ purchase: null, owed: null, items: [CARD], pastDue: [] })
    sent.push(JSON.parse(String(init.body)).contentsVersion)
    if (sent.length === 1) return Response.json(refused, { status: 409 })
    const purchase = { _id: 'purchase', kind: 'bundle', itemId: 'bundle', amount: '$15', message: '' }
    return Response.json({ ...purchase, status: 'captured' })
  })
  writeToken(crypto.randomUUID())
  const item = { ...BUNDLE, ...shown, price: '$15', contentsVersion: 'before' }
  show(item, refusedTo)
  await payButton('$15')
  fireEvent.click(screen.getByRole('checkbox'))
  fireEvent.click(await payButton('$15'))
  return sent
}

const payButton = (price: string) => screen.findByRole('button', { name: `Visa 1111 · Pay ${price}` })

const CHANGED = 'The contents have changed. Please review them before you buy.'

test.each([
  ['as many', '8 photos', 8, CHANGED],
  ['fewer', '9 photos', 9, `${CHANGED} It now has 8 items.`],
])(
  'who is told of %s other items sees how much it is now, and buys those by another tap',
  async (_how, mediaCount, itemCount, told) => {
    const details = { price: '$15', itemCount: '8', contentsVersion: 'after' }
    const refused = { error: CHANGED, code: 'contents_changed', details }
    const sent = await paysFor({ itemCount, mediaCount }, refused)
    await screen.findByText(told)
    // Of what kind they are isn't known here, so it doesn't say what may not be so anymore.
    expect(document.body.textContent).toContain('8 items')
    expect(document.body.textContent).not.toContain(mediaCount)
    fireEvent.click(await payButton('$15'))
    await screen.findByText(purchaseTexts.done)
    expect(sent).toEqual(['before', 'after'])
  },
)

const DEARER = 'The price has changed. Please review it before you buy.'

test.each([
  ['the same', '8 photos', 8, 'before', DEARER],
  ['as many others', '8 photos', 8, 'after', `${DEARER} The contents have changed, too.`],
  ['fewer', '9 photos', 9, 'after', `${DEARER} It now has 8 items.`],
])(
  'who is told of another price of %s items is told what else has changed',
  async (_how, mediaCount, itemCount, contentsVersion, told) => {
    const details = { price: '$16', itemCount: '8', contentsVersion }
    const refused = { error: DEARER, code: 'price_changed', details }
    const onRefused = vi.fn()
    const sent = await paysFor({ itemCount, mediaCount }, refused, { onRefused })
    await screen.findByText(told)
    expect(document.body.textContent?.includes(mediaCount)).toBe(told === DEARER)
    // The page behind it shows the old price.
    expect(onRefused).toHaveBeenCalledOnce()
    fireEvent.click(await payButton('$16'))
    await screen.findByText(purchaseTexts.done)
    expect(sent).toEqual(['before', contentsVersion])
  },
)

test('who is told of the price that they owe reads until when it pays', async () => {
  let told = false
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (address.includes('/auth/me'))
      return Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail: 'verified', permissions: [] })
    if (init?.method === 'POST') {
      told = true
      const details = { price: '$10', itemCount: '8' }
      return Response.json({ error: DEARER, code: 'price_changed', details }, { status: 409 })
    }
    const owed = told ? { price: '$10', months: 1, paidUntil: '2099-02-18T18:00:00.000Z' } : null
    return Response.json({ purchase: null, owed, items: [CARD], pastDue: [], terms: [], price: '$15' })
  })
  writeToken(crypto.randomUUID())
  const item = { ...BUNDLE, kind: 'subscription', price: '$15', itemCount: 8 } as const
  show(item)
  await payButton('$15')
  fireEvent.click(screen.getByRole('checkbox'))
  fireEvent.click(await payButton('$15'))
  await payButton('$10')
  await screen.findByText(purchaseTexts.paysOwed, { exact: false })
})

test.each([
  ['item_not_found', 'This is no longer for sale', true],
  ['no_longer_sold', 'This is no longer for sale', true],
  ['item_not_found', 'This tip can’t be sent', true, 'tip'],
  ['item_not_found', 'This request can’t be paid anymore', true, 'custom'],
  ['offer_not_found', 'We couldn’t find this offer.', true],
  ['offer_expired', 'Sorry, this offer is expired', true],
  ['offer_used_up', 'Sorry, this offer has been claimed as many times as it allows.', true],
  // An attempt of before, whose answer was lost, may have paid for it.
  ['already_owned', 'You already have this.', false],
  ['offer_redeemed', 'You have already redeemed this offer', false],
] as const)(
  'who can’t buy it anymore (%s) is told why, and has nothing to pay; that nothing was charged where that is sure',
  async (code, told, isSure, kind: Kind = 'bundle') => {
    const onRefused = vi.fn()
    await paysFor({ kind }, { error: told, code }, { onRefused })
    const outcome = (await screen.findByText(told)).closest('[role=alert]')
    if (isSure) await screen.findByText(purchaseTexts.notCharged)
    expect(outcome?.textContent?.includes(purchaseTexts.notCharged)).toBe(isSure)
    expect(screen.queryByRole('button', { name: /Pay/ })).toBeNull()
    expect(document.activeElement?.textContent).toBe(purchaseTexts.close)
    expect(onRefused).toHaveBeenCalledOnce()
  },
)

test('who can’t buy it anymore while a payment of another window is undecided is told of that one', async () => {
  let other: object | null = null
  const onRefused = vi.fn()
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (address.includes('/auth/me'))
      return Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail: 'verified', permissions: [] })
    if (init?.method === 'POST') {
      other = {
        _id: 'purchase',
        kind: 'bundle',
        itemId: 'bundle',
        amount: '$15',
        message: '',
        status: 'held',
      }
      return Response.json({ error: 'Not found.', code: 'item_not_found' }, { status: 404 })
    }
    return address.includes('/purchase/')
      ? Response.json(other)
      : Response.json({ purchase: other, owed: null, lent: null, items: [CARD], pastDue: [] })
  })
  writeToken(crypto.randomUUID())
  show({ ...BUNDLE, price: '$15', itemCount: 8 }, { onRefused })
  await payButton('$15')
  fireEvent.click(screen.getByRole('checkbox'))
  fireEvent.click(await payButton('$15'))
  await screen.findByText(purchaseTexts.undecided)
  expect(screen.queryByText(purchaseTexts.notCharged)).toBeNull()
  expect(onRefused).toHaveBeenCalledOnce()
})

test.each([
  ['declined by another window', 'held', 'is refused'],
  ['not paid for before', null, 'is refused'],
  ['not paid for before', null, 'never comes'],
] as const)(
  'who can’t buy what was $0 isn’t told that nothing was charged while that isn’t known, and can close, where the answer $2',
  async (_how, before, answer) => {
    const other = { _id: 'purchase', kind: 'bundle', itemId: 'bundle', amount: '$15' }
    let asked = false
    vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
      if (address.includes('/auth/me'))
        return Response.json({
          _id: 'fan',
          email: 'fan@mail.test',
          verifiedEmail: 'verified',
          permissions: [],
        })
      if (init?.method === 'POST') {
        asked = true
        return Response.json({ error: 'Not found.', code: 'item_not_found' }, { status: 404 })
      }
      if (address.includes('/purchase/'))
        return Response.json({ ...other, status: 'declined', message: 'Your card was declined.' })
      if (asked && address.includes('itemId=bundle') && answer === 'never comes') return new Promise(() => {})
      if (asked && address.includes('itemId=bundle'))
        return Response.json({ error: 'Try again.', code: 'rate_limited' }, { status: 429 })
      const purchase = before && { ...other, status: before, message: '' }
      return Response.json({ purchase, owed: null, lent: null, items: [CARD], pastDue: [] })
    })
    writeToken(crypto.randomUUID())
    show({ ...BUNDLE, price: '$15', itemCount: 8 })
    await payButton('$15')
    fireEvent.click(screen.getByRole('checkbox'))
    fireEvent.click(await payButton('$15'))
    await screen.findByText('This is no longer for sale')
    expect(screen.getAllByRole('button', { name: purchaseTexts.close })).toHaveLength(2)
    expect(screen.queryByText(purchaseTexts.notCharged)).toBeNull()
  },
)

test.each([
  ['all', purchaseTexts.lent.all],
  ['some', purchaseTexts.lent.some],
  [null, null],
])('who sees %s of it by a subscription is told so before they pay', async (lent, told) => {
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('/auth/me')
      ? Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail: 'verified', permissions: [] })
      : Response.json({ purchase: null, owed: null, lent, items: [CARD], pastDue: [] }),
  )
  writeToken(crypto.randomUUID())
  show({ ...BUNDLE, price: '$15' })
  await payButton('$15')
  expect(screen.queryByText(/with your subscription/)?.textContent ?? null).toBe(told)
})

test('who has some of what a message sells is told before they pay that the price is for all of it', async () => {
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('/auth/me')
      ? Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail: 'verified', permissions: [] })
      : Response.json({ purchase: null, owed: null, lent: 'some', items: [CARD], pastDue: [] }),
  )
  writeToken(crypto.randomUUID())
  show({ ...BUNDLE, kind: 'message', price: '$15', itemCount: 3, owned: 1 })
  await payButton('$15')
  screen.getByText('You already have 1 of 3 items. The price is for all of them.')
  // What a subscription lends isn’t theirs.
  expect(screen.queryByText(/already own/)).toBeNull()
})

test.each([
  ['subscription', purchaseTexts.subscribed, 'Already Subscribed!'],
  ['bundle', purchaseTexts.buyBundle, 'You already have this.'],
] as const)(
  'who has the %s already reads that instead of a form, and what they wished for is forgotten',
  async (kind, title, told) => {
    vi.stubGlobal('fetch', async (address: string) =>
      address.includes('/auth/me')
        ? Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail: 'verified', permissions: [] })
        : Response.json({ purchase: null, has: true, owed: null, lent: null, items: [CARD], pastDue: [] }),
    )
    writeToken(crypto.randomUUID())
    keepWish({ label: 'Harbor', path: '/', thing: BUNDLE })
    show({ ...BUNDLE, kind, price: '$15' })
    await screen.findByText(told)
    screen.getByRole('heading', { name: title })
    expect(screen.queryByRole('button', { name: /Pay|Subscribe/ })).toBeNull()
    expect(document.body.textContent).not.toContain('Renews at')
    expect(keptWish()).toBeNull()
  },
)
