import { afterEach, beforeEach, expect, test, vi } from 'vitest'

type Tab = typeof import('./token.ts')

/** How long a busy machine may take, in milliseconds. */
const PATIENCE = { timeout: 150_000 }

let kept: Map<string, string>
let browser: EventTarget
const hides: (() => void)[] = []

beforeEach(() => {
  kept = new Map()
  browser = new EventTarget()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
})
afterEach(() => {
  for (const hide of hides.splice(0)) hide()
  vi.unstubAllGlobals()
})

async function openTab(): Promise<Tab> {
  vi.resetModules()
  return import('./token.ts')
}

/** A tab in which somebody is logged in, once the others can know. */
async function showing(token: string): Promise<Tab> {
  const tab = await openTab()
  tab.writeToken(token)
  hides.push(tab.showPerson())
  const isHeld = async () => (await navigator.locks.query()).held?.some(({ name }) => name === 'sessionShown')
  await vi.waitUntil(isHeld, PATIENCE)
  return tab
}

test('a tab without anybody leaves the ended session to the tab that asks for the login, and follows it', async () => {
  const asking = await showing('ended')
  const fresh = await openTab()
  const told = vi.fn()
  fresh.subscribeToken(told)
  fresh.dropToken('ended')
  expect(fresh.readToken()).toBeNull()
  expect(told).toHaveBeenCalledTimes(1)
  // Locks are given in the order in which they were asked for.
  await navigator.locks.request('sessionShown', { mode: 'shared' }, () => undefined)
  expect(asking.readToken()).toBe('ended')
  expect(asking.renewToken('ended', 'next')).toBe(true)
  expect([fresh.readToken(), fresh.firstOf('next')]).toEqual(['next', 'ended'])
})

test('an ended session that no tab shows is forgotten, and nothing that followed it is', async () => {
  const fresh = await openTab()
  fresh.writeToken('ended')
  fresh.dropToken('ended')
  await vi.waitUntil(() => fresh.storedToken() === null, PATIENCE)

  fresh.writeToken('second')
  fresh.dropToken('second')
  fresh.writeToken('third')
  await navigator.locks.request('sessionShown', { mode: 'shared' }, () => undefined)
  expect(fresh.readToken()).toBe('third')
})
