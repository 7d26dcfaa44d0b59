import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Sends `bytes` of noise by PUT to `url`, said to be a range or not, and says how many seconds it took until the answer. */
const { url, bytes, range } = workerData as { url: string; bytes: number; range: boolean }
const piece = Buffer.alloc(256 * 1024, 'noise of the benchmark ')

function* body() {
  for (let sent = 0; sent < bytes; sent += piece.length)
    yield piece.subarray(0, Math.min(piece.length, bytes - sent))
}

const started = performance.now()
const answered = Promise.withResolvers<number>()
const headers = {
  'content-length': bytes,
  ...(range ? { 'content-range': `bytes 0-${bytes - 1}/${bytes}` } : {}),
}
const sending = request(url, { method: 'PUT', headers }, (response) => {
  response.resume()
  response.on('end', () => answered.resolve(response.statusCode ?? 0))
})
sending.on('error', answered.reject)
await pipeline(Readable.from(body()), sending)
const status = await answered.promise
if (status !== 200) throw new Error(`${url} answered ${status}`)
parentPort?.postMessage((performance.now() - started) / 1000)
