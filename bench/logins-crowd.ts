import { parentPort, workerData } from 'node:worker_threads'

/** Logs each of `people` in over and over for `seconds`, all at once, and says how many logins that were. */
const { address, people, password, seconds } = workerData as {
  address: string
  people: string[]
  password: string
  seconds: number
}

let count = 0
const until = performance.now() + seconds * 1000
await Promise.all(
  people.map(async (email) => {
    while (performance.now() < until) {
      const answer = await fetch(`${address}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      if (!answer.ok) throw new Error(`a login answered ${answer.status}`)
      await answer.arrayBuffer()
      count++
    }
  }),
)
parentPort?.postMessage(count)
