import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string
const started: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-'))
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function start(store: string): Promise<{ child: ChildProcess; apiUrl: string; adminUrl: string }> {
  const script = new URL('standalone.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, '--port', '0', '--store', store], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, ...(JSON.parse(line) as { apiUrl: string; adminUrl: string }) }
}

async function charge(apiUrl: string, invoiceNumber: string): Promise<boolean> {
  const response = await fetch(apiUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      createTransactionRequest: {
        merchantAuthentication: { name: 'sandboxLogin', transactionKey: 'sandboxKey000001' },
        transactionRequest: {
          transactionType: 'authCaptureTransaction',
          amount: '1.00',
          payment: { creditCard: { cardNumber: '4111111111111111', expirationDate: '1249' } },
          order: { invoiceNumber },
        },
      },
    }),
  })
  const { transactionResponse } = (await response.json()) as { transactionResponse: { responseCode: string } }
  return transactionResponse.responseCode === '1'
}

test('what was answered is there after a kill', async () => {
  const store = join(folder, 'killed.sqlite')
  const first = await start(store)
  const answered: string[] = []
  const attempts = Array.from({ length: 60 }, async (_, index) => {
    const invoiceNumber = `kill-${index}`
    if (await charge(first.apiUrl, invoiceNumber)) answered.push(invoiceNumber)
    if (answered.length === 20) first.child.kill('SIGKILL')
  })
  await Promise.allSettled(attempts)
  await (first.child.exitCode === null && first.child.signalCode === null
    ? once(first.child, 'exit')
    : undefined)
  expect(answered.length).toBeGreaterThanOrEqual(20)

  const second = await start(store)
  const { capturesByInvoice } = (await (await fetch(`${second.adminUrl}/transactions`)).json()) as {
    capturesByInvoice: Record<string, number>
  }
  expect(answered.filter((invoiceNumber) => capturesByInvoice[invoiceNumber] !== 1)).toEqual([])
  expect(await charge(second.apiUrl, answered[0] ?? '')).toBe(false)
  second.child.kill('SIGTERM')
  expect(await once(second.child, 'exit')).toEqual([0, null])
})
