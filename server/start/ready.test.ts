import { expect, test } from 'vitest'
import { sampleLogIns } from '../sample/people.ts'
import { createLog } from './log.ts'
import { announce, greeting } from './ready.ts'

const READY = { BRAND_NAME: 'Fanfare', PUBLIC_URL: undefined, PORT: 4321 }
const SAID = 'Fanfare is ready at http://localhost:4321'

function logged(password: string | null) {
  const lines: string[] = []
  announce(
    createLog({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, (line) => lines.push(line)),
    { ...READY, password },
  )
  return lines.map((line) => JSON.parse(line))
}

test('a terminal and a log read where it is, and each sample account with its password', () => {
  const password = 'of-this-one-only'
  const [said, asked, ...accounts] = greeting({ ...READY, password })
    .trim()
    .split('\n')
  expect([said, asked]).toEqual([SAID, 'Log in as:'])
  expect(accounts.map((line) => line.trim().split(/\s+/))).toEqual(
    sampleLogIns.map(({ role, email }) => [role, email, password]),
  )
  expect(logged(password)).toMatchObject([
    ...sampleLogIns.map((account) => ({ ...account, password, msg: 'Sample account' })),
    { msg: SAID },
  ])
})

test('without sample accounts, and at another address, they read no more than that', () => {
  const elsewhere = { ...READY, PUBLIC_URL: 'https://fanfare.example', password: null }
  expect(greeting(elsewhere)).toBe('Fanfare is ready at https://fanfare.example\n')
  expect(logged(null)).toEqual([expect.objectContaining({ msg: SAID })])
})
