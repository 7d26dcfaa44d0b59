import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from '../browser.ts'
import { type FanfareProcess, startProcess } from '../fanfare.ts'
import { freshName } from '../people.ts'
import { openWindow, PHONE } from '../window.ts'
import { buysEverything, looksAroundAsVisitor, seesWhatWasBought } from './buying.ts'
import {
  creates,
  isClosedToAnotherCreator,
  seesTheMoney,
  sellsAsSingle,
  showsToEverybody,
  uploadsALot,
} from './creating.ts'
import { comesForTheFirstTime, confirmsEmail, signsUpAsFan, signsUpWithEveryMistake } from './signing-up.ts'

let fanfare: FanfareProcess
let browser: StoryBrowser

beforeAll(async () => {
  ;[fanfare, browser] = await Promise.all([startProcess(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
})

test('a creator publishes and sells, a fan buys and sees, and the creator has the money', async () => {
  const { origin } = fanfare
  const creator = await openWindow(browser, origin, { ageConfirmed: false })
  await comesForTheFirstTime(creator)
  const creatorName = freshName('ana')
  await signsUpWithEveryMistake(origin, creator, creatorName)
  await confirmsEmail(origin, creator, `${creatorName}@example.test`)
  const { single, free, video, member } = await uploadsALot(fanfare, creator)
  await sellsAsSingle(creator, single)
  await showsToEverybody(creator, free)
  const subscription = await creates(creator, 'subscription', 'Members club', '9.99', ['For members'])
  const bundle = await creates(creator, 'bundle', 'Summer set', '15', ['Morning light', 'Moving waves'])
  await isClosedToAnotherCreator(browser, origin, [subscription, bundle])

  const fan = await openWindow(browser, origin, { viewport: PHONE })
  await looksAroundAsVisitor(fan, creatorName)
  const fanName = freshName('finn')
  await signsUpAsFan(fan, fanName)
  await confirmsEmail(origin, fan, `${fanName}@example.test`)
  await buysEverything(fan, creatorName)
  await seesWhatWasBought(fan, creatorName, { single, video, member })

  await seesTheMoney(creator, fanName)
  // A card that was declined, and a name that was taken, are answers that browsers report.
  const answers = /status of (402|409)/
  expect([...creator.complaints(), ...fan.complaints()].filter((line) => !answers.test(line))).toEqual([])
  await Promise.all([creator.close(), fan.close()])
})
