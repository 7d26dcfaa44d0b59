import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimVisits, countVisit, keepVisit, keptVisits } from './counting.ts'

const DAY_MS = 24 * 3_600_000
type Answer = () => Response
let asked: { address: string; body: unknown }[] = []

beforeEach(() => {
  asked = []
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

function answers(answer: Answer): void {
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push({ address, body: JSON.parse(String(init.body)) })
    return answer()
  })
}

test('a visit is counted once a tab, and kept until somebody logs in', async () => {
  answers(() => Response.json({ visitId: 'visit', path: '/media/one' }))
  expect(await Promise.all([countVisit('aaaaaaaa'), countVisit('aaaaaaaa')])).toEqual([
    '/media/one',
    '/media/one',
  ])
  expect(await countVisit('aaaaaaaa')).toBe('/media/one')
  expect(asked).toHaveLength(1)
  expect(keptVisits().map(({ id }) => id)).toEqual(['visit'])

  answers(() => Response.json({ success: true }))
  await claimVisits()
  await claimVisits()
  expect(asked.slice(1)).toMatchObject([{ body: { visitIds: ['visit'] } }])
  expect(keptVisits()).toEqual([])
})

test('what can’t be counted disturbs nothing, and what can’t be claimed stays', async () => {
  answers(() => Response.error())
  expect(await countVisit('bbbbbbbb')).toBeNull()
  keepVisit('visit')
  await claimVisits()
  expect(keptVisits()).toHaveLength(1)
})

test('nobody is led to another site', async () => {
  answers(() => Response.json({ visitId: null, path: '//elsewhere.test' }))
  expect(await countVisit('cccccccc')).toBeNull()
  expect(keptVisits()).toEqual([])
})

test('visits are kept for seven days, and no more than one call takes', () => {
  const now = Date.now()
  keepVisit('old', now - 7 * DAY_MS)
  for (let number = 0; number < 25; number++) keepVisit(`visit ${number}`, now)
  const kept = keptVisits(now).map(({ id }) => id)
  expect(kept).toHaveLength(20)
  expect(kept.at(-1)).toBe('visit 24')
  expect(keptVisits(now + 7 * DAY_MS)).toEqual([])
  localStorage.setItem('postVisits', '{"not":"ours"}')
  expect(keptVisits(now)).toEqual([])
})
