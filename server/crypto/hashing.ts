import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'

/** `against` null: hash the password; else verify it against this hash. */
export type HashingTask = { id: number; password: string; against: string | null; options: Options }
export type HashingAnswer = { id: number; result: string | boolean } | { id: number; error: string }

type Waiter = { resolve(result: string | boolean): void; reject(error: Error): void }

let thread: Worker | undefined
let tasks = 0
const waiters = new Map<number, Waiter>()

/**
 * Hashes or verifies by Argon2 on a thread of its own and of low priority, one after the other: logins wait for each
 * other, nothing else waits for them. The thread keeps no process alive.
 */
export function runHashing(task: Omit<HashingTask, 'id'>): Promise<string | boolean> {
  return new Promise((resolve, reject) => {
    const id = tasks++
    waiters.set(id, { resolve, reject })
    thread ??= startThread()
    thread.ref()
    thread.postMessage({ ...task, id })
  })
}

function startThread(): Worker {
  const started = new Worker(new URL('./hashing-thread.ts', import.meta.url))
  started.on('message', (answer: HashingAnswer) => {
    const waiter = waiters.get(answer.id)
    waiters.delete(answer.id)
    if (waiters.size === 0) started.unref()
    if ('error' in answer) waiter?.reject(new Error(answer.error))
    else waiter?.resolve(answer.result)
  })
  started.on('error', (error) => {
    thread = undefined
    for (const { reject } of waiters.values()) reject(error)
    waiters.clear()
  })
  return started
}
