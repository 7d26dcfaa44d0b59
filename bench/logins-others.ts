import { parentPort, workerData } from 'node:worker_threads'

/** Makes calls at a steady pace, whether or not the one before is answered, and says how many milliseconds each took. */
const { url, perSecond, seconds } = workerData as { url: string; perSecond: number; seconds: number }

const times: number[] = []
const calls: Promise<void>[] = []
async function call(): Promise<void> {
  const started = performance.now()
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  times.push(performance.now() - started)
}
await call()
times.length = 0
const pace = setInterval(() => calls.push(call()), 1000 / perSecond)
await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
clearInterval(pace)
await Promise.all(calls)
parentPort?.postMessage(times)
