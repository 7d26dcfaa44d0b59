import { expect, test } from 'vitest'
import { PAGES } from '../../contract/pages.ts'
import type { Guard } from './page-route.ts'
import { isPromotion } from './promotion.ts'
import { dashboardRoutes } from './routes-dashboard.tsx'
import { occasionalRoutes } from './routes-occasional.ts'
import { promotionRoutes } from './routes-promotion.tsx'
import { publicRoutes } from './routes-public.ts'

const pages = [...publicRoutes, ...occasionalRoutes, ...dashboardRoutes, ...promotionRoutes]

/** A guard in words: who may enter, and where somebody logged out is led. */
function inWords(guard: Guard | undefined): string {
  if (!guard) return 'everybody'
  if (guard.who === 'visitor') return 'visitors'
  const who = typeof guard.who === 'string' ? guard.who : guard.who.anyOf.join(' or ')
  const also = [
    ...(guard.unverified ? ['unverified too'] : []),
    ...(guard.withoutSecondFactor ? ['without a second factor too'] : []),
  ]
  return [who, ...also, `else ${guard.to}${guard.keepPath ? ', which leads back' : ''}`].join(', ')
}

test('every page is guarded as the product says', () => {
  expect(Object.fromEntries(pages.map(({ path, guard }) => [path, inWords(guard)]))).toMatchInlineSnapshot(`
    {
      "/": "everybody",
      "/2257": "everybody",
      "/affiliates": "everybody",
      "/agecheck": "everybody",
      "/anti-trafficking": "everybody",
      "/books": "ledger.adjust, else /login, which leads back",
      "/cancellation-policy": "everybody",
      "/complaints": "everybody",
      "/contact": "everybody",
      "/content-moderation": "everybody",
      "/customs": "user, else /",
      "/dashboard": "user, else /login, which leads back",
      "/dashboard/add/media": "creator, else /login, which leads back",
      "/dashboard/audit": "audit.read, else /login, which leads back",
      "/dashboard/billing": "user, else /login, which leads back",
      "/dashboard/chat/:recipientId": "user, else /signup, which leads back",
      "/dashboard/chats": "user, else /login, which leads back",
      "/dashboard/createredditpost": "creatorOnly, else /login, which leads back",
      "/dashboard/disputes": "refunds.issue, else /login, which leads back",
      "/dashboard/earnings": "user, else /login, which leads back",
      "/dashboard/edit": "user, unverified too, else /login, which leads back",
      "/dashboard/edit/bundle/:bundleId": "creator, else /login, which leads back",
      "/dashboard/edit/media/:mediaId": "user, else /login, which leads back",
      "/dashboard/edit/post/:redditPostId": "creatorOnly, else /login, which leads back",
      "/dashboard/edit/srlist/:listId": "user, else /login, which leads back",
      "/dashboard/edit/subscription/:subscriptionId": "creator, else /login, which leads back",
      "/dashboard/fans": "creator, else /login, which leads back",
      "/dashboard/findsubreddits/:redditPostId": "creatorOnly, else /login, which leads back",
      "/dashboard/following": "user, else /login, which leads back",
      "/dashboard/how-to-use": "user, else /how-to-use",
      "/dashboard/manage": "user, else /login, which leads back",
      "/dashboard/managesubreddits": "subreddits.edit, else /login, which leads back",
      "/dashboard/mass-messages": "creator, else /login, which leads back",
      "/dashboard/metadata": "media.editAll, else /login, which leads back",
      "/dashboard/mysubredditprogress": "creatorOnly, else /login, which leads back",
      "/dashboard/notifications": "user, else /login, which leads back",
      "/dashboard/notifications/settings": "user, else /login, which leads back",
      "/dashboard/offers": "creator, else /login, which leads back",
      "/dashboard/payments": "refunds.issue, else /login, which leads back",
      "/dashboard/payments/:transactionId": "refunds.issue, else /login, which leads back",
      "/dashboard/payouts": "payouts.approve, else /login, which leads back",
      "/dashboard/plan": "creatorOnly, else /login, which leads back",
      "/dashboard/postearnings": "creatorOnly, else /login, which leads back",
      "/dashboard/postingslots": "creatorOnly, else /login, which leads back",
      "/dashboard/premiumcontentmanagement": "creator, else /login, which leads back",
      "/dashboard/privacy": "user, unverified too, else /login, which leads back",
      "/dashboard/reddit": "creatorOnly, else /login, which leads back",
      "/dashboard/redditchats": "user, else /login, which leads back",
      "/dashboard/redditposts": "user, else /login, which leads back",
      "/dashboard/regions": "regions.edit or people.approveAge, else /login, which leads back",
      "/dashboard/reports": "reports.review, else /login, which leads back",
      "/dashboard/scheduleposts": "user, else /login, which leads back",
      "/dashboard/security": "user, without a second factor too, else /login, which leads back",
      "/dashboard/settlements": "refunds.issue, else /login, which leads back",
      "/dashboard/sharedrefs": "user, else /login, which leads back",
      "/dashboard/subredditlists": "user, else /login, which leads back",
      "/dashboard/subredditprogram": "payouts.approve, else /login, which leads back",
      "/dashboard/timeline": "user, else /login, which leads back",
      "/dashboard/uploadbulk": "user, else /login, which leads back",
      "/dashboard/uploadsingle": "user, else /login, which leads back",
      "/discover": "everybody",
      "/donate": "everybody",
      "/editsrinfo/:subreddit": "user, else /login, which leads back",
      "/editusersrinfo/:subreddit": "user, else /login, which leads back",
      "/emailconfirmation": "everybody",
      "/free-ad-credits": "everybody",
      "/go/:code": "everybody",
      "/how-to-use": "everybody",
      "/login": "visitors",
      "/media/:mediaId": "everybody",
      "/privacy": "everybody",
      "/refund-policy": "everybody",
      "/removal": "everybody",
      "/reset": "everybody",
      "/resetconfirmed/:userId/:token": "everybody",
      "/restricted": "everybody",
      "/searchfans": "subscriptions.extend or media.unlock, else /",
      "/searchusers": "user, else /",
      "/signup": "visitors",
      "/terms": "everybody",
      "/terms-and-conditions": "everybody",
      "/tokenconfirmation": "creatorOnly, else /login, which leads back",
      "/unavailable": "everybody",
      "/unsubscribe": "everybody",
      "/users/:username": "everybody",
      "/users/:username/buy": "user, else /login, which leads back",
      "/users/:username/offers/:offerId": "everybody",
      "/yourcontent": "user, else /login, which leads back",
    }
  `)
})

test('the server knows every page, and no other', () => {
  expect(pages.map(({ path }) => path).sort()).toEqual([...PAGES].sort())
})

test('every page is looked for in the table that it stands in', () => {
  const found = pages.map(({ path }) => path).filter(isPromotion)
  expect(found.sort()).toEqual(promotionRoutes.map(({ path }) => path).sort())
})
