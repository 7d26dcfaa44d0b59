import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashingAnswer, HashingTask } from './hashing.ts'

// Elsewhere the priority belongs to the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', (task: HashingTask) => {
  parentPort?.postMessage(answer(task))
})

function answer({ id, password, against, options }: HashingTask): HashingAnswer {
  try {
    return { id, result: against === null ? hashSync(password, options) : verifySync(against, password) }
  } catch (error) {
    return { id, error: String(error) }
  }
}
